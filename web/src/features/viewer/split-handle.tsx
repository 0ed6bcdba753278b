import type { KeyboardEvent, PointerEvent } from 'react';
import { t } from '../../i18n/text.ts';

interface SplitHandleProps {
  /** Share of the frame's width to the left of it. */
  at: number;
  onChange: (at: number) => void;
}

const step = 0.02;
const ends = 0.02;

/** The line between two halves of a frame, to be dragged by pointer or moved by the arrow keys. */
export function SplitHandle({ at, onChange }: SplitHandleProps) {
  const change = (next: number) => onChange(Math.min(1 - ends, Math.max(ends, next)));
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    // The image under it stays where it is.
    event.stopPropagation();
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    event.stopPropagation();
    const frame = event.currentTarget.parentElement?.getBoundingClientRect();
    if (frame) change((event.clientX - frame.left) / frame.width);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -step, ArrowRight: step }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    change(at + by * (event.shiftKey ? 5 : 1));
  };
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={t('divider')}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(100 * at)}
      data-testid="split-handle"
      className="absolute inset-y-0 z-10 w-11 -translate-x-1/2 cursor-ew-resize touch-none"
      style={{ left: `${100 * at}%` }}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={(event) => event.stopPropagation()}
      onClick={(event) => event.stopPropagation()}
      onKeyDown={onKeyDown}
    >
      <span className="absolute inset-y-0 left-1/2 w-0.5 -translate-x-1/2 bg-white shadow-[0_0_0_1px_rgb(0_0_0/0.6)]" />
      <span className="absolute top-1/2 left-1/2 grid size-8 -translate-1/2 place-items-center rounded-full border border-black/60 bg-white text-sm font-bold text-black">
        ↔
      </span>
    </div>
  );
}
