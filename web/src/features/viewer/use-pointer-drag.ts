import { type PointerEvent, useRef } from 'react';
import {
  fromCorners,
  type Handle,
  isDrawn,
  move,
  type Point,
  type Rectangle,
  resize,
  type Size,
  toImage,
} from './geometry.ts';
import type { ViewportControl } from './image-frame.tsx';

/** What a press on the image starts. Points are in pixels of the image. */
interface DragAction {
  move(to: Point, from: Point): void;
  end?(to: Point, from: Point): void;
  /** A second finger starts a pinch instead. */
  cancel?(): void;
}

interface Gesture {
  readonly pointers: Map<number, Point>;
  start: Point;
  /** Where the one pointer was pressed, in pixels of the frame; undefined once there was a second one. */
  pressed: Point | undefined;
  action: DragAction | undefined;
}

const distance = (one: Point, other: Point): number => Math.hypot(one.x - other.x, one.y - other.y);
const middle = (one: Point, other: Point): Point => ({ x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 });

const leastSwipe = 60;

/** To the left is on to the next, to the right is back. */
function swipeStep(from: Point | undefined, to: Point): 1 | -1 | undefined {
  if (!from) return undefined;
  const across = to.x - from.x;
  if (Math.abs(across) < leastSwipe || Math.abs(across) < 2 * Math.abs(to.y - from.y)) return undefined;
  return across < 0 ? 1 : -1;
}

/** Resizes the rectangle by the pressed handle, or moves it. */
export function editDrag(
  target: Element,
  rectangle: Rectangle,
  image: Size,
  change: (rectangle: Rectangle) => void,
): DragAction {
  const handle = target.closest('[data-handle]')?.getAttribute('data-handle') as Handle | null | undefined;
  return {
    move: (to, from) => {
      const by = { x: to.x - from.x, y: to.y - from.y };
      change(handle ? resize(rectangle, handle, by, image) : move(rectangle, by, image));
    },
    cancel: () => change(rectangle),
  };
}

/** Draws a new rectangle; `show` gets it while it is drawn. */
export function drawDrag(
  image: Size,
  show: (rectangle: Rectangle | undefined) => void,
  finish: (rectangle: Rectangle) => void,
): DragAction {
  return {
    move: (to, from) => show(fromCorners(from, to, image)),
    end: (to, from) => {
      const rectangle = fromCorners(from, to, image);
      show(undefined);
      if (isDrawn(rectangle)) finish(rectangle);
    },
    cancel: () => show(undefined),
  };
}

/**
 * One pointer starts the action that `begin` returns, or pans the image. Two pointers zoom and pan. `begin` gets the
 * pressed element and its place in pixels of the image. While the whole image is shown, a finger that pans swipes.
 */
export function usePointerDrag(
  control: ViewportControl,
  begin: (target: Element, at: Point, pointerType: string) => DragAction | undefined,
  onSwipe?: (step: 1 | -1) => void,
) {
  const gesture = useRef<Gesture>({
    pointers: new Map(),
    start: { x: 0, y: 0 },
    pressed: undefined,
    action: undefined,
  });
  const { view, setView, zoomAround, pointIn } = control;

  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button > 1) return;
    const current = gesture.current;
    const point = pointIn(event);
    event.currentTarget.setPointerCapture(event.pointerId);
    current.pointers.set(event.pointerId, point);
    if (current.pointers.size > 1) {
      current.action?.cancel?.();
      current.action = undefined;
      current.pressed = undefined;
      return;
    }
    current.pressed = point;
    current.start = toImage(view, point);
    current.action = event.button === 1 ? undefined : begin(event.target as Element, current.start, event.pointerType);
  };

  const onPointerMove = (event: PointerEvent) => {
    const current = gesture.current;
    const before = current.pointers.get(event.pointerId);
    if (!before) return;
    const point = pointIn(event);
    if (current.pointers.size === 2) {
      const other = [...current.pointers].find(([id]) => id !== event.pointerId)?.[1] ?? before;
      const [from, to] = [middle(before, other), middle(point, other)];
      zoomAround(distance(point, other) / Math.max(1, distance(before, other)), to);
      setView((now) => ({ ...now, x: now.x + to.x - from.x, y: now.y + to.y - from.y }));
    } else if (current.action) {
      current.action.move(toImage(view, point), current.start);
    } else {
      setView((now) => ({ ...now, x: now.x + point.x - before.x, y: now.y + point.y - before.y }));
    }
    current.pointers.set(event.pointerId, point);
  };

  const onPointerUp = (event: PointerEvent) => {
    const current = gesture.current;
    if (!current.pointers.delete(event.pointerId)) return;
    const end = pointIn(event);
    const step = swipeStep(current.pressed, end);
    if (event.type === 'pointerup' && event.pointerType === 'touch' && !current.action && control.isWhole && step)
      onSwipe?.(step);
    current.action?.end?.(toImage(view, end), current.start);
    current.action = undefined;
    current.pressed = undefined;
  };

  return { onPointerDown, onPointerMove, onPointerUp, onPointerCancel: onPointerUp };
}
