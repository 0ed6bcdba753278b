import { say, toEnglish } from './engine-messages.ts';
import type { Message } from './message.ts';

export type VisionErrorCode =
  | 'not_an_image'
  | 'truncated_image'
  | 'image_too_large'
  | 'invalid_value'
  | 'invalid_backbone'
  | 'invalid_model'
  | 'too_few_images'
  | 'cannot_teach'
  | 'cancelled';

/** `detail` says what is wrong, the value received, and what to do. `message` is the same in English, for logs. */
export class VisionError extends Error {
  readonly code: VisionErrorCode;
  readonly detail: Message;

  constructor(code: VisionErrorCode, detail: Message, options?: ErrorOptions) {
    super(toEnglish(detail), options);
    this.name = 'VisionError';
    this.code = code;
    this.detail = detail;
  }
}

/** @throws VisionError `cancelled` once the signal is aborted. */
export function throwIfCancelled(signal: AbortSignal): void {
  if (signal.aborted) throw new VisionError('cancelled', say('training.cancelled'));
}
