import { useEffect, useState } from 'react';
import type { Preprocessing } from '../../../../src/client/shapes.ts';
import { previewSteps } from '../../api/mutations.ts';

export interface Preview {
  /** Address of the picture within this page. The last picture stays until the next one is loaded. */
  readonly src: string | undefined;
  readonly width: number;
  readonly height: number;
  readonly busy: boolean;
  readonly error: string | undefined;
}

const settleMs = 250;
const nothing: Preview = { src: undefined, width: 0, height: 0, busy: false, error: undefined };

/** The item after the steps, computed a moment after the last change. */
export function usePreview(targetId: number, itemId: string | undefined, steps: readonly Preprocessing[]): Preview {
  const [preview, setPreview] = useState(nothing);
  const given = JSON.stringify(steps);
  useEffect(() => {
    if (itemId === undefined) return;
    const controller = new AbortController();
    const load = async () => {
      setPreview((before) => ({ ...before, busy: true }));
      try {
        const blob = await previewSteps(targetId, itemId, JSON.parse(given) as Preprocessing[], controller.signal);
        const { width, height } = await createImageBitmap(blob);
        if (controller.signal.aborted) return;
        const src = URL.createObjectURL(blob);
        setPreview((before) => {
          if (before.src) URL.revokeObjectURL(before.src);
          return { src, width, height, busy: false, error: undefined };
        });
      } catch (error) {
        if (!controller.signal.aborted) {
          setPreview((before) => ({ ...before, busy: false, error: (error as Error).message }));
        }
      }
    };
    const timer = setTimeout(load, settleMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [targetId, itemId, given]);
  return preview;
}
