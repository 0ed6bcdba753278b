import type { InputLayout } from '../../backbone/input-layout.ts';
import { type CorrectionsHeader, decodeCorrections, encodeCorrections } from '../../corrections/correction-patches.ts';
import type { RefinableState } from '../../corrections/refinable-model.ts';
import { say } from '../../engine-messages.ts';
import type { Matrix } from '../../math/matrix.ts';
import { decodeContainer, encodeContainer } from '../../model-file/binary-container.ts';
import { VisionError } from '../../vision-error.ts';
import type { GaussianGrid } from './gaussian-scorer.ts';

/** All that a trained PaDiM needs beside its network. */
export interface PadimState extends RefinableState {
  readonly layout: InputLayout;
  /** Numbers of the feature channels that were drawn, ascending. */
  readonly channels: Uint32Array;
  /** Channels that the network has. */
  readonly allChannels: number;
  readonly grid: GaussianGrid;
}

const MAGIC = 'KNSPADIM';

interface Header extends CorrectionsHeader {
  readonly layout: InputLayout;
  readonly smoothing: number;
  readonly allChannels: number;
  readonly rows: number;
  readonly columns: number;
}

export function encodePadim({ layout, channels, allChannels, grid, smoothing, corrections }: PadimState): Uint8Array {
  const { rows, columns, means, whitening } = grid;
  const part = encodeCorrections(corrections);
  const header = { layout, smoothing, allChannels, rows, columns, ...part.header } satisfies Header;
  return encodeContainer(MAGIC, { header, arrays: { channels, means, whitening, ...part.arrays } });
}

/** @throws VisionError `invalid_model` */
export function decodePadim(bytes: Uint8Array): PadimState {
  const content = decodeContainer(MAGIC, bytes);
  const { layout, smoothing, allChannels, rows, columns } = content.header as unknown as Header;
  const { channels, means, whitening } = content.arrays;
  const complete =
    channels instanceof Uint32Array && means instanceof Float32Array && whitening instanceof Float32Array;
  if (!complete) throw new VisionError('invalid_model', say('model.damaged', { part: 'means' }));
  const [cells, dims] = [rows * columns, channels.length];
  const fits =
    cells >= 1 &&
    dims >= 1 &&
    means.length === cells * dims &&
    whitening.length === (cells * dims * (dims + 1)) / 2 &&
    channels.every((channel) => channel < allChannels) &&
    smoothing >= 0;
  if (!fits) throw new VisionError('invalid_model', say('model.damaged', { part: 'header' }));
  const grid = { rows, columns, dims, means, whitening };
  return { layout, smoothing, allChannels, channels, grid, corrections: decodeCorrections(content, dims) };
}

/** [allChannels, channels]: a column with a single one for each channel, as a projection for the extractor. */
export function channelSelection(channels: Uint32Array, allChannels: number): Matrix {
  const data = new Float32Array(allChannels * channels.length);
  channels.forEach((channel, column) => {
    data[channel * channels.length + column] = 1;
  });
  return { rows: allChannels, columns: channels.length, data };
}
