import { listNames, say } from '../engine-messages.ts';
import type { Message } from '../message.ts';

/** Sentences to a person about good images that may be none. */
export function oddImagesRemarks(leftOut: readonly string[], doubtful: readonly string[]): Message[] {
  return [
    ...(leftOut.length > 0 ? [say('remark.outliers', { names: listNames(leftOut) })] : []),
    ...(doubtful.length > 0 ? [say('remark.doubtful', { names: listNames(doubtful) })] : []),
  ];
}
