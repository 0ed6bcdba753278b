/** Why the engine refuses its input. Callers translate the code; the message is for a person. */
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

/** Says what is wrong, the value received, and what to do. */
export class VisionError extends Error {
  readonly code: VisionErrorCode;

  constructor(code: VisionErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'VisionError';
    this.code = code;
  }
}

/** @throws VisionError `cancelled` once the signal is aborted. */
export function throwIfCancelled(signal: AbortSignal): void {
  if (signal.aborted) throw new VisionError('cancelled', 'Cancelled on request; start the training again to continue.');
}
