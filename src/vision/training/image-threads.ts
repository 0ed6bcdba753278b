import { type InputLayout, layoutTiles } from '../backbone/input-layout.ts';
import type { Threads } from '../onnx/open-session.ts';
import type { FitInput } from './fit-input.ts';

/** Fewer tiles are done before threads have started. */
const MANY_TILES = 24;

/** Threads for work on all images of a training: an image each, where there are many. @param layout absent: of one tile */
export function imageThreads({ samples, threads = 1, sideBySide }: FitInput, layout?: InputLayout): Threads {
  const tiles = samples.length * (layout ? layoutTiles(layout).length : 1);
  return sideBySide && tiles >= MANY_TILES ? sideBySide : threads;
}
