import { decodeContainer, encodeContainer } from '../../model-file/binary-container.ts';
import { modelArrays } from '../../model-file/model-arrays.ts';
import { decodeMemory, encodeMemory, type LabelledMemory, type MemoryHeader } from '../supervised/labelled-memory.ts';
import type { Perceptron } from './patch-classifier.ts';

/** All that a trained classifier needs beside its backbone. */
export interface DefectClassifierState extends LabelledMemory {
  /** From a patch to its classes: good, then one for each of `labels`. */
  readonly network: Perceptron;
  /** How much the network's view counts beside the distance, 0 to 1. */
  readonly weight: number;
}

const MAGIC = 'KNSCLASS';

interface Header extends MemoryHeader {
  readonly weight: number;
  readonly hidden: number;
}

export function encodeDefectClassifier(state: DefectClassifierState): Uint8Array {
  const { network, weight } = state;
  const { header, arrays } = encodeMemory(state);
  return encodeContainer(MAGIC, {
    header: { ...header, weight, hidden: network.first.columns } satisfies Header,
    arrays: {
      ...arrays,
      first: network.first.data,
      firstBias: network.firstBias,
      second: network.second.data,
      secondBias: network.secondBias,
    },
  });
}

/** @throws VisionError `invalid_model` */
export function decodeDefectClassifier(bytes: Uint8Array): DefectClassifierState {
  const content = decodeContainer(MAGIC, bytes);
  const memory = decodeMemory(content);
  const { weight, hidden } = content.header as unknown as Header;
  const { vector, matrix } = modelArrays(content.arrays);
  const outputs = memory.labels.length + 1;
  return {
    ...memory,
    weight,
    network: {
      first: matrix('first', memory.bank.columns, hidden),
      firstBias: vector('firstBias', hidden),
      second: matrix('second', hidden, outputs),
      secondBias: vector('secondBias', outputs),
    },
  };
}
