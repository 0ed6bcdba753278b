import Type from 'typebox';
import type { InputLayout } from '../../backbone/input-layout.ts';
import { decodeCorrections, encodeCorrections } from '../../corrections/correction-patches.ts';
import { openersOf, type PatchModel, type RefinableState } from '../../corrections/refinable-model.ts';
import type { Matrix } from '../../math/matrix.ts';
import { decodeContainer, encodeContainer } from '../../model-file/binary-container.ts';
import { COUNT, damagedPart, LAYOUT, readHeader, readVector, SMOOTHING } from '../../model-file/model-parts.ts';
import { type GaussianGrid, openGaussianMeasure } from './gaussian-grid.ts';

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
const HEADER = Type.Object({ layout: LAYOUT, smoothing: SMOOTHING, allChannels: COUNT, rows: COUNT, columns: COUNT });

export function encodePadim({ layout, channels, allChannels, grid, smoothing, corrections }: PadimState): Uint8Array {
  const { rows, columns, means, whitening } = grid;
  const part = encodeCorrections(corrections);
  return encodeContainer(MAGIC, {
    header: { layout, smoothing, allChannels, rows, columns, ...part.header },
    arrays: { channels, means, whitening, ...part.arrays },
  });
}

/** @throws VisionError `invalid_model` */
export function decodePadim(bytes: Uint8Array): PadimState {
  const content = decodeContainer(MAGIC, bytes);
  const { layout, smoothing, allChannels, rows, columns } = readHeader(HEADER, content);
  const { channels } = content.arrays;
  if (!(channels instanceof Uint32Array) || channels.some((channel) => channel >= allChannels))
    throw damagedPart('channels');
  const dims = channels.length;
  const means = readVector(content, 'means', rows * columns * dims);
  const whitening = readVector(content, 'whitening', (rows * columns * dims * (dims + 1)) / 2);
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

function patchModel(payload: Uint8Array): PatchModel {
  const state = decodePadim(payload);
  return {
    ...state,
    projection: channelSelection(state.channels, state.allChannels),
    canHoldOut: false,
    openMeasure: (withFeatures, threads) => openGaussianMeasure(state.grid, withFeatures, threads),
    encode: (corrections) => encodePadim({ ...state, corrections }),
  };
}

export const { open, openRefinable } = openersOf(patchModel);
