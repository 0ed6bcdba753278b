import type { InputLayout } from '../../backbone/input-layout.ts';
import { type CorrectionsHeader, decodeCorrections, encodeCorrections } from '../../corrections/correction-patches.ts';
import type { RefinableState } from '../../corrections/refinable-model.ts';
import { say } from '../../engine-messages.ts';
import type { Matrix } from '../../math/matrix.ts';
import type { PatchMemory } from '../../memory-bank/patch-memory.ts';
import { decodeSearch, encodeSearch, type SearchHeader } from '../../memory-bank/search-header.ts';
import type { ContainerContent } from '../../model-file/binary-container.ts';
import { modelArrays } from '../../model-file/model-arrays.ts';
import { VisionError } from '../../vision-error.ts';

/** What the models that know classes keep of the backbone's view: good patches, and the classes' numbers. */
export interface LabelledMemory extends RefinableState, PatchMemory {
  /** How images come to the backbone. */
  readonly layout: InputLayout;
  /** [dims, axes] */
  readonly projection: Matrix;
  /** Class numbers; null: NG without a number. */
  readonly labels: readonly (number | null)[];
}

/** The memory's part of a model's header. */
export interface MemoryHeader
  extends Pick<LabelledMemory, 'layout' | 'labels' | 'smoothing'>,
    CorrectionsHeader,
    SearchHeader {
  readonly dims: number;
  readonly axes: number;
  readonly members: number;
}

export function encodeMemory(state: LabelledMemory) {
  const { layout, projection, bank, weights, labels, smoothing, corrections } = state;
  const part = encodeCorrections(corrections);
  const header: MemoryHeader = {
    layout,
    labels,
    smoothing,
    dims: projection.rows,
    axes: projection.columns,
    members: bank.rows,
    ...encodeSearch(state),
    ...part.header,
  };
  const memory = { bank: bank.data, ...(weights ? { weights } : {}) };
  return { header, arrays: { projection: projection.data, ...memory, ...part.arrays } };
}

/** @throws VisionError `invalid_model` */
export function decodeMemory(content: ContainerContent): LabelledMemory {
  const header = content.header as unknown as MemoryHeader;
  const { layout, labels, smoothing, dims, axes, members } = header;
  if (!Array.isArray(labels)) throw new VisionError('invalid_model', say('model.damaged', { part: 'labels' }));
  const { matrix, findVector } = modelArrays(content.arrays);
  return {
    layout,
    labels,
    smoothing,
    projection: matrix('projection', dims, axes),
    bank: matrix('bank', members, axes),
    weights: findVector('weights', members),
    ...decodeSearch(header, 1),
    corrections: decodeCorrections(content, axes),
  };
}
