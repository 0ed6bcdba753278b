import type { InputLayout } from '../../backbone/input-layout.ts';
import { say } from '../../engine-messages.ts';
import { decodeContainer, encodeContainer } from '../../model-file/binary-container.ts';
import { modelArrays } from '../../model-file/model-arrays.ts';
import { VisionError } from '../../vision-error.ts';
import { decodeMemory, encodeMemory, type LabelledMemory, type MemoryHeader } from '../supervised/labelled-memory.ts';
import { biasName, type ConvShape, weightCount, weightName } from './conv-network.ts';
import type { ColourScale, DetectorNetwork } from './detector-network.ts';
import type { View } from './merge-views.ts';

/** Thresholds: raw scores are parts of them. */
export interface Limits {
  readonly probability: number;
  readonly distance: number;
}

/** All that a trained detector needs beside its backbone. */
export interface DefectDetectorState extends LabelledMemory {
  /** From pixels to good, one class for each of `labels`, and the distances to the defect's four sides. */
  readonly detector: DetectorNetwork;
  readonly limits: Limits;
}

const MAGIC = 'KNSDETC2';

interface Header extends MemoryHeader {
  readonly limits: Limits;
  readonly shapes: readonly ConvShape[];
  readonly colours: ColourScale;
  readonly pixels: InputLayout;
  readonly views: readonly View[];
}

export function encodeDefectDetector(state: DefectDetectorState): Uint8Array {
  const { detector, limits } = state;
  const { shapes, weights, biases } = detector.network;
  const { colours, layout: pixels, views } = detector;
  const { header, arrays } = encodeMemory(state);
  const layers = shapes.flatMap((_, layer) => [
    [weightName(layer), weights[layer] ?? new Float32Array()] as const,
    [biasName(layer), biases[layer] ?? new Float32Array()] as const,
  ]);
  return encodeContainer(MAGIC, {
    header: { ...header, limits, shapes, colours, pixels, views } satisfies Header,
    arrays: { ...arrays, ...Object.fromEntries(layers) },
  });
}

const isCount = (value: unknown, most: number): boolean =>
  Number.isInteger(value) && Number(value) >= 1 && Number(value) <= most;

/** Whether the layers fit together, from three colours to `outputs`. */
function isNetwork(shapes: unknown, outputs: number): shapes is readonly ConvShape[] {
  if (!Array.isArray(shapes) || shapes.length === 0) return false;
  const layers = shapes as readonly (ConvShape | null | undefined)[];
  return (
    layers.at(-1)?.outputs === outputs &&
    layers.every(
      (shape, layer) =>
        shape?.inputs === (layer === 0 ? 3 : layers[layer - 1]?.outputs) &&
        isCount(shape?.outputs, 4096) &&
        isCount(shape?.kernel, 15) &&
        isCount(shape?.stride, 2) &&
        isCount(shape?.dilation, 16) &&
        (shape?.residual === false || shape?.inputs === shape?.outputs),
    )
  );
}

function areColours(colours: unknown): colours is ColourScale {
  const { mean, spread } = (colours ?? {}) as Partial<ColourScale>;
  return Array.isArray(mean) && mean.length === 3 && mean.every(Number.isFinite) && Number(spread) > 0;
}

function areViews(views: unknown): views is readonly View[] {
  const all = (Array.isArray(views) ? views : []) as readonly (View | null | undefined)[];
  return (
    all.length > 0 &&
    all.every((view) => [0, 1, 2, 3].includes(view?.turn ?? -1) && typeof view?.mirrored === 'boolean')
  );
}

/** @throws VisionError `invalid_model` */
export function decodeDefectDetector(bytes: Uint8Array): DefectDetectorState {
  const content = decodeContainer(MAGIC, bytes);
  const memory = decodeMemory(content);
  const { limits, shapes, colours, pixels, views } = content.header as unknown as Header;
  if (!isNetwork(shapes, memory.labels.length + 5) || !areColours(colours) || !areViews(views))
    throw new VisionError('invalid_model', say('model.damaged', { part: 'network' }));
  const { vector } = modelArrays(content.arrays);
  const weights = shapes.map((shape, layer) => vector(weightName(layer), weightCount(shape)));
  const biases = shapes.map(({ outputs }, layer) => vector(biasName(layer), outputs));
  return { ...memory, limits, detector: { network: { shapes, weights, biases }, colours, layout: pixels, views } };
}
