import type { Preprocessing } from '../../../../src/client/shapes.ts';
import type { StepInfo } from '../../api/queries.ts';
import type { Point, Size } from '../viewer/geometry.ts';

export type StepConfig = Readonly<Record<string, unknown>>;

/** A step while it is edited. */
export interface DraftStep {
  readonly key: number;
  readonly name: string;
  readonly active: boolean;
  readonly config: StepConfig;
}

let lastKey = 0;

export function toDraft(steps: readonly Preprocessing[]): DraftStep[] {
  return steps.map(({ name, active, config }) => ({
    key: ++lastKey,
    name,
    active: active !== false,
    config: parseConfig(config),
  }));
}

function parseConfig(config: string | null | undefined): StepConfig {
  try {
    return JSON.parse(config || '{}') as StepConfig;
  } catch {
    return {};
  }
}

export function toPreprocessing(steps: readonly DraftStep[]): Preprocessing[] {
  return steps.map(({ name, active, config }) => ({ name, active, config: JSON.stringify(config) }));
}

/** A new step: the example of the catalogue, without its polygons. A reference becomes the shown item. */
export function newStep(info: StepInfo, shownItemId: string | undefined): DraftStep {
  const example = parseConfig(info.example);
  const ofItem = 'reference' in example && shownItemId ? { reference: shownItemId } : {};
  // Polygons are drawn by the user.
  const config = { ...example, ...ofItem, ...('polygons' in example ? { polygons: [] } : {}) };
  return { key: ++lastKey, name: info.name, active: true, config };
}

/** A mask that waits for its first polygon: it cannot be saved, and does nothing. */
export function isEmptyMask({ config }: DraftStep): boolean {
  const { polygons } = config;
  return Array.isArray(polygons) && polygons.length === 0;
}

export function moveStep(steps: readonly DraftStep[], from: number, to: number): DraftStep[] {
  const moved = [...steps];
  const [step] = moved.splice(from, 1);
  if (step) moved.splice(Math.max(0, Math.min(moved.length, to)), 0, step);
  return moved;
}

/** Corners [x, y], in the unit of the step. */
export type Polygon = readonly (readonly [number, number])[];
export type Unit = 'percent' | 'pixel';

export const unitOf = (config: StepConfig): Unit => (config['unit'] === 'pixel' ? 'pixel' : 'percent');

export const roundHundredth = (value: number): number => Math.round(value * 100) / 100;

/** From pixels of the image before the step to the unit of its config; never outside the image. */
export function toUnit({ x, y }: Point, unit: Unit, image: Size): [number, number] {
  const inside = [Math.max(0, Math.min(image.width, x)), Math.max(0, Math.min(image.height, y))] as const;
  if (unit === 'pixel') return [Math.round(inside[0]), Math.round(inside[1])];
  return [roundHundredth((100 * inside[0]) / image.width), roundHundredth((100 * inside[1]) / image.height)];
}

export function toPixels([x, y]: readonly [number, number], unit: Unit, image: Size): Point {
  return unit === 'pixel' ? { x, y } : { x: (x * image.width) / 100, y: (y * image.height) / 100 };
}

export function replaceCorner(
  polygons: readonly Polygon[],
  polygonIndex: number,
  cornerIndex: number,
  corner: readonly [number, number],
): Polygon[] {
  return polygons.map((polygon, index) =>
    index === polygonIndex ? polygon.map((one, at) => (at === cornerIndex ? corner : one)) : polygon,
  );
}
