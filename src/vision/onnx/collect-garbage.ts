import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (options?: { readonly type: 'minor' }) => void;

let collect: Collect | undefined;

/**
 * Frees the memory of pixels and tensors that nobody holds any more. It lies outside of V8's heap, and V8 lets tens of megabytes
 * of it come together in each thread before it looks.
 * @param options only what came lately, in less than a millisecond where the thread has little else
 */
export function collectGarbage(options?: { readonly type: 'minor' }): void {
  if (!collect) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as Collect;
  }
  collect(options);
}
