import type { InputLayout } from '../../backbone/input-layout.ts';
import { type CorrectionsHeader, decodeCorrections, encodeCorrections } from '../../corrections/correction-patches.ts';
import type { RefinableState } from '../../corrections/refinable-model.ts';
import { say } from '../../engine-messages.ts';
import type { Matrix } from '../../math/matrix.ts';
import type { PatchMemory } from '../../memory-bank/patch-memory.ts';
import { decodeSearch, encodeSearch, type SearchHeader } from '../../memory-bank/search-header.ts';
import { decodeContainer, encodeContainer } from '../../model-file/binary-container.ts';
import { modelArrays } from '../../model-file/model-arrays.ts';
import { VisionError } from '../../vision-error.ts';

/** All that a trained PatchCore needs beside its network. */
export interface PatchcoreState extends RefinableState, PatchMemory {
  readonly layout: InputLayout;
  /** [dims, axes] */
  readonly projection: Matrix;
  readonly neighbours: number;
}

const MAGIC = 'KNSPTCHC';

interface Header extends CorrectionsHeader, SearchHeader {
  readonly layout: InputLayout;
  readonly neighbours: number;
  readonly smoothing: number;
  readonly dims: number;
  readonly axes: number;
  readonly members: number;
}

export function encodePatchcore(state: PatchcoreState): Uint8Array {
  const { layout, projection, bank, weights, neighbours, smoothing, corrections } = state;
  const shapes = { dims: projection.rows, axes: projection.columns, members: bank.rows };
  const part = encodeCorrections(corrections);
  return encodeContainer(MAGIC, {
    header: { layout, neighbours, smoothing, ...shapes, ...encodeSearch(state), ...part.header } satisfies Header,
    arrays: { projection: projection.data, bank: bank.data, ...(weights ? { weights } : {}), ...part.arrays },
  });
}

/** @throws VisionError `invalid_model` */
export function decodePatchcore(bytes: Uint8Array): PatchcoreState {
  const content = decodeContainer(MAGIC, bytes);
  const header = content.header as unknown as Header;
  const { layout, neighbours, smoothing, dims, axes, members } = header;
  const { projection, bank } = content.arrays;
  if (!(projection instanceof Float32Array && bank instanceof Float32Array))
    throw new VisionError('invalid_model', say('model.damaged', { part: 'bank' }));
  if (!fits(projection, dims, axes) || !fits(bank, members, axes) || !(neighbours >= 1 && smoothing >= 0))
    throw new VisionError('invalid_model', say('model.damaged', { part: 'header' }));
  return {
    layout,
    neighbours,
    smoothing,
    projection: { rows: dims, columns: axes, data: projection },
    bank: { rows: members, columns: axes, data: bank },
    weights: modelArrays(content.arrays).findVector('weights', members),
    ...decodeSearch(header, neighbours),
    corrections: decodeCorrections(content, axes),
  };
}

const fits = (data: Float32Array, rows: number, columns: number): boolean =>
  rows >= 1 && columns >= 1 && rows * columns === data.length;
