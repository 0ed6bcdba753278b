import { setFlagsFromString } from 'node:v8';

/**
 * Lets garbage grow to twice what is in use before V8 marks everything in use: photos pass through outside of its heap,
 * yet count, so that it would do so every dozen photos. For the start of a process through which many pass.
 */
export function collectRarely(): void {
  setFlagsFromString('--heap-growing-percent=200');
}
