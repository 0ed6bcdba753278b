import Type from 'typebox';
import { openersOf, type PatchModel } from '../../corrections/refinable-model.ts';
import { openBankMeasure } from '../../memory-bank/open-memory-search.ts';
import { decodeContainer, encodeContainer } from '../../model-file/binary-container.ts';
import { COUNT, readHeader } from '../../model-file/model-parts.ts';
import { decodeMemory, encodeMemory, type MemoryState } from '../contract/memory-state.ts';

/** All that a trained PatchCore needs beside its network. */
export interface PatchcoreState extends MemoryState {
  readonly neighbours: number;
}

const MAGIC = 'KNSPTCHC';
const HEADER = Type.Object({ neighbours: COUNT });

export const encodePatchcore = (state: PatchcoreState): Uint8Array =>
  encodeContainer(MAGIC, encodeMemory(state, { neighbours: state.neighbours }));

/** @throws VisionError `invalid_model` */
export function decodePatchcore(bytes: Uint8Array): PatchcoreState {
  const content = decodeContainer(MAGIC, bytes);
  const { neighbours } = readHeader(HEADER, content);
  return { ...decodeMemory(content, neighbours), neighbours };
}

function patchModel(payload: Uint8Array): PatchModel {
  const state = decodePatchcore(payload);
  return {
    ...state,
    canHoldOut: true,
    openMeasure: (_, threads) => openBankMeasure(state, state.neighbours, threads),
    encode: (corrections) => encodePatchcore({ ...state, corrections }),
  };
}

export const { open, openRefinable } = openersOf(patchModel);
