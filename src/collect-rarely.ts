import { setFlagsFromString } from 'node:v8';

/**
 * Lets the heap grow by so many percent of what is in use before V8 marks everything in use: photos pass through outside
 * of its heap, yet count, so that it would do so every few photos. For the start of a process through which many pass.
 */
export function collectRarely(growthPercent = 400): void {
  setFlagsFromString(`--heap-growing-percent=${growthPercent}`);
}
