import { queryOptions } from '@tanstack/react-query';
import { dataOf } from '../../../src/client/kensa-api.ts';
import type { Preprocessing, Schemas, Target } from '../../../src/client/shapes.ts';
import { api } from './kensa.ts';

/** The part of JSON Schema that configs of steps are described with. */
export interface ConfigSchema {
  readonly type?: string;
  readonly enum?: readonly (string | number)[];
  readonly description?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, ConfigSchema>>;
  readonly required?: readonly string[];
}

export type StepInfo = Schemas['PreprocessingStepInfo'] & { readonly schema: ConfigSchema };

const ofTarget = (targetId: number) => ({ params: { path: { target_id: String(targetId) } } });

export const stepCatalogueQuery = () =>
  queryOptions({
    queryKey: ['steps'],
    queryFn: ({ signal }): Promise<StepInfo[]> => dataOf(api.GET('/api/v1/targets/steps', { signal })),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const createTarget = (name: string): Promise<Target> => dataOf(api.POST('/api/v1/targets/', { body: { name } }));

export const updateTarget = (targetId: number, body: Schemas['TargetChanges']): Promise<Target> =>
  dataOf(api.PUT('/api/v1/targets/{target_id}', { ...ofTarget(targetId), body }));

export const deleteTarget = (targetId: number) => dataOf(api.DELETE('/api/v1/targets/{target_id}', ofTarget(targetId)));

export const setDefaultTarget = (targetId: number): Promise<Target> =>
  dataOf(api.POST('/api/v1/targets/{target_id}', ofTarget(targetId)));

/** The item's first image after the steps, as WebP. */
export async function previewSteps(
  targetId: number,
  itemId: string,
  preprocessing: Preprocessing[],
  signal: AbortSignal,
): Promise<Blob> {
  const { data } = await api.POST('/api/v1/targets/{target_id}/preview', {
    ...ofTarget(targetId),
    body: { item_id: itemId, preprocessing },
    parseAs: 'blob',
    signal,
  });
  return data ?? new Blob();
}
