import { decodeContainer, encodeContainer } from '../../binary-container.ts';
import type { GaussianGrid } from '../../components/gaussian-scorer.ts';
import type { InputLayout } from '../../features/input-layout.ts';
import type { Matrix } from '../../onnx/open-matrix-product.ts';
import { VisionError } from '../../vision-error.ts';

/** All that a trained PaDiM needs beside its network. */
export interface PadimState {
  readonly layout: InputLayout;
  /** Numbers of the feature channels that were drawn, ascending. */
  readonly channels: Uint32Array;
  /** Channels that the network has. */
  readonly allChannels: number;
  readonly grid: GaussianGrid;
  /** Standard deviation of the map's blur, in cells. */
  readonly smoothing: number;
}

const MAGIC = 'KNSPADIM';

interface Header {
  readonly layout: InputLayout;
  readonly smoothing: number;
  readonly allChannels: number;
  readonly rows: number;
  readonly columns: number;
}

export function encodePadim({ layout, channels, allChannels, grid, smoothing }: PadimState): Uint8Array {
  const { rows, columns, means, whitening } = grid;
  const header = { layout, smoothing, allChannels, rows, columns } satisfies Header;
  return encodeContainer(MAGIC, { header, arrays: { channels, means, whitening } });
}

/** @throws VisionError `invalid_model` */
export function decodePadim(bytes: Uint8Array): PadimState {
  const { header, arrays } = decodeContainer(MAGIC, bytes);
  const { layout, smoothing, allChannels, rows, columns } = header as unknown as Header;
  const { channels, means, whitening } = arrays;
  const complete =
    channels instanceof Uint32Array && means instanceof Float32Array && whitening instanceof Float32Array;
  if (!complete)
    throw new VisionError('invalid_model', 'The model has no Gaussians. Import it again, or train a new one.');
  const [cells, dims] = [rows * columns, channels.length];
  const fits =
    cells >= 1 &&
    dims >= 1 &&
    means.length === cells * dims &&
    whitening.length === (cells * dims * (dims + 1)) / 2 &&
    channels.every((channel) => channel < allChannels) &&
    smoothing >= 0;
  if (!fits) throw new VisionError('invalid_model', 'The parts of the model do not fit together. Import it again.');
  const grid = { rows, columns, dims: channels.length, means, whitening };
  return { layout, smoothing, allChannels, channels, grid };
}

/** [allChannels, channels]: a column with a single one for each channel, as a projection for the extractor. */
export function channelSelection(channels: Uint32Array, allChannels: number): Matrix {
  const data = new Float32Array(allChannels * channels.length);
  channels.forEach((channel, column) => {
    data[channel * channels.length + column] = 1;
  });
  return { rows: allChannels, columns: channels.length, data };
}
