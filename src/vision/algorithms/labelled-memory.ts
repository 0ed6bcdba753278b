import type { ContainerContent } from '../binary-container.ts';
import type { InputLayout } from '../features/input-layout.ts';
import type { Matrix } from '../onnx/open-matrix-product.ts';
import { VisionError } from '../vision-error.ts';
import { modelArrays } from './model-arrays.ts';

/** What the models that know classes keep of the backbone's view: good patches, and the classes' numbers. */
export interface LabelledMemory {
  /** How images come to the backbone. */
  readonly layout: InputLayout;
  /** [dims, axes] */
  readonly projection: Matrix;
  /** Good patches, [members, axes]. */
  readonly bank: Matrix;
  /** Class numbers; null: NG without a number. */
  readonly labels: readonly (number | null)[];
  /** Standard deviation of the map's blur, in cells. */
  readonly smoothing: number;
}

/** The memory's part of a model's header. */
export interface MemoryHeader extends Pick<LabelledMemory, 'layout' | 'labels' | 'smoothing'> {
  readonly dims: number;
  readonly axes: number;
  readonly members: number;
}

export function encodeMemory({ layout, projection, bank, labels, smoothing }: LabelledMemory) {
  const header: MemoryHeader = {
    layout,
    labels,
    smoothing,
    dims: projection.rows,
    axes: projection.columns,
    members: bank.rows,
  };
  return { header, arrays: { projection: projection.data, bank: bank.data } };
}

/** @throws VisionError `invalid_model` */
export function decodeMemory({ header, arrays }: ContainerContent): LabelledMemory {
  const { layout, labels, smoothing, dims, axes, members } = header as unknown as MemoryHeader;
  if (!Array.isArray(labels))
    throw new VisionError('invalid_model', 'The model names no classes. Import it again, or train a new one.');
  const { matrix } = modelArrays(arrays);
  return {
    layout,
    labels,
    smoothing,
    projection: matrix('projection', dims, axes),
    bank: matrix('bank', members, axes),
  };
}
