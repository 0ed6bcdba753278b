import type { Algorithm, Readiness } from '../../../../src/client/shapes.ts';

export type Missing = 'good' | 'ng' | 'regions';

/** What a training with this algorithm cannot do without; undefined: it can start. */
export function missingFor(algorithm: Algorithm, readiness: Readiness): Missing | undefined {
  if (readiness.good === 0) return 'good';
  if (algorithm.attribute === 'unsupervised') return undefined;
  if (readiness.ng === 0) return 'ng';
  return algorithm.type === 'object_detection' && readiness.regions.length === 0 ? 'regions' : undefined;
}
