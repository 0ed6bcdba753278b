import type { InputLayout } from '../../backbone/input-layout.ts';
import { type CorrectionsHeader, decodeCorrections, encodeCorrections } from '../../corrections/correction-patches.ts';
import type { RefinableState } from '../../corrections/refinable-model.ts';
import { say } from '../../engine-messages.ts';
import { decodeContainer, encodeContainer } from '../../model-file/binary-container.ts';
import { VisionError } from '../../vision-error.ts';
import type { Subspace } from './residual-scorer.ts';

/** All that a trained subspace model needs beside its network. */
export interface SubspaceState extends Subspace, RefinableState {
  readonly layout: InputLayout;
}

const MAGIC = 'KNSSUBSP';

interface Header extends CorrectionsHeader {
  readonly layout: InputLayout;
  readonly smoothing: number;
  readonly dims: number;
  readonly axes: number;
}

export function encodeSubspace({ layout, smoothing, mean, axes, corrections }: SubspaceState): Uint8Array {
  const part = encodeCorrections(corrections);
  const header = { layout, smoothing, dims: axes.rows, axes: axes.columns, ...part.header } satisfies Header;
  return encodeContainer(MAGIC, { header, arrays: { mean, axes: axes.data, ...part.arrays } });
}

/** @throws VisionError `invalid_model` */
export function decodeSubspace(bytes: Uint8Array): SubspaceState {
  const content = decodeContainer(MAGIC, bytes);
  const { layout, smoothing, dims, axes: count } = content.header as unknown as Header;
  const { mean, axes } = content.arrays;
  if (!(mean instanceof Float32Array && axes instanceof Float32Array))
    throw new VisionError('invalid_model', say('model.damaged', { part: 'axes' }));
  if (!(dims >= 1 && count >= 1 && mean.length === dims && axes.length === dims * count && smoothing >= 0))
    throw new VisionError('invalid_model', say('model.damaged', { part: 'header' }));
  const corrections = decodeCorrections(content, dims);
  return { layout, smoothing, mean, axes: { rows: dims, columns: count, data: axes }, corrections };
}
