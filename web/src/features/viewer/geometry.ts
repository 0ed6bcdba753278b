export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The place of an image on the screen: screen = image · scale + offset. */
export interface Viewport {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

const maxScale = 40;
const margin = 12;

/** The whole image, in the middle. */
export function fitViewport(image: Size, frame: Size): Viewport {
  const scale = Math.min((frame.width - 2 * margin) / image.width, (frame.height - 2 * margin) / image.height);
  const safe = Number.isFinite(scale) && scale > 0 ? scale : 1;
  return {
    scale: safe,
    x: (frame.width - image.width * safe) / 2,
    y: (frame.height - image.height * safe) / 2,
  };
}

/** A part of the image in the middle, with as much again around it, where the image allows. */
export function partViewport(part: Rectangle, image: Size, frame: Size): Viewport {
  const width = 2 * (part.x_max - part.x_min);
  const height = 2 * (part.y_max - part.y_min);
  const wanted = Math.min(frame.width / width, frame.height / height);
  const scale = Math.max(fitViewport(image, frame).scale, Math.min(maxScale, wanted));
  const x = frame.width / 2 - (scale * (part.x_min + part.x_max)) / 2;
  const y = frame.height / 2 - (scale * (part.y_min + part.y_max)) / 2;
  return clampViewport({ scale, x, y }, image, frame);
}

/** Zooms around `point`. */
export function zoomAt(view: Viewport, factor: number, point: Point, smallest: number): Viewport {
  const scale = Math.max(smallest / 2, Math.min(maxScale, view.scale * factor));
  const ratio = scale / view.scale;
  return { scale, x: point.x - (point.x - view.x) * ratio, y: point.y - (point.y - view.y) * ratio };
}

/** The same zoom, with no more of the frame left empty than the image needs. */
export function clampViewport({ scale, x, y }: Viewport, image: Size, frame: Size): Viewport {
  const along = (offset: number, length: number, room: number): number =>
    length <= room - 2 * margin ? (room - length) / 2 : clamp(offset, room - margin - length, margin);
  return {
    scale,
    x: along(x, image.width * scale, frame.width),
    y: along(y, image.height * scale, frame.height),
  };
}

export function toImage(view: Viewport, point: Point): Point {
  return { x: (point.x - view.x) / view.scale, y: (point.y - view.y) / view.scale };
}

export function toFrame(view: Viewport, point: Point): Point {
  return { x: point.x * view.scale + view.x, y: point.y * view.scale + view.y };
}

/** The step of an arrow key, in pixels of the image; ten times as long with the shift key. */
export function arrowStep({ key, shiftKey }: { key: string; shiftKey: boolean }): Point | undefined {
  const step = shiftKey ? 10 : 1;
  const steps: Readonly<Record<string, Point>> = {
    ArrowLeft: { x: -step, y: 0 },
    ArrowRight: { x: step, y: 0 },
    ArrowUp: { x: 0, y: -step },
    ArrowDown: { x: 0, y: step },
  };
  return steps[key];
}

/** In pixels of the image as uploaded. */
export interface Rectangle {
  readonly x_min: number;
  readonly y_min: number;
  readonly x_max: number;
  readonly y_max: number;
}

export const handles = ['nw', 'n', 'ne', 'e', 'se', 's', 'sw', 'w'] as const;
export type Handle = (typeof handles)[number];

const leastSide = 2;
const clamp = (value: number, low: number, high: number): number => Math.max(low, Math.min(high, value));

/** The rectangle between two corners, whole pixels, inside the image. */
export function fromCorners(one: Point, other: Point, image: Size): Rectangle {
  const x = [one.x, other.x].map((value) => clamp(Math.round(value), 0, image.width)).sort((a, b) => a - b);
  const y = [one.y, other.y].map((value) => clamp(Math.round(value), 0, image.height)).sort((a, b) => a - b);
  return { x_min: x[0] ?? 0, y_min: y[0] ?? 0, x_max: x[1] ?? 0, y_max: y[1] ?? 0 };
}

export function isDrawn({ x_min, x_max, y_min, y_max }: Rectangle): boolean {
  return x_max - x_min >= leastSide && y_max - y_min >= leastSide;
}

/** Moves the whole rectangle, up to the borders of the image. */
export function move(rectangle: Rectangle, by: Point, image: Size): Rectangle {
  const x = clamp(Math.round(by.x), -rectangle.x_min, image.width - rectangle.x_max);
  const y = clamp(Math.round(by.y), -rectangle.y_min, image.height - rectangle.y_max);
  return {
    x_min: rectangle.x_min + x,
    x_max: rectangle.x_max + x,
    y_min: rectangle.y_min + y,
    y_max: rectangle.y_max + y,
  };
}

/** Moves one side or corner; the opposite one stays. */
export function resize(rectangle: Rectangle, handle: Handle, by: Point, image: Size): Rectangle {
  const { x_min, x_max, y_min, y_max } = rectangle;
  return {
    x_min: handle.includes('w') ? clamp(Math.round(x_min + by.x), 0, x_max - leastSide) : x_min,
    x_max: handle.includes('e') ? clamp(Math.round(x_max + by.x), x_min + leastSide, image.width) : x_max,
    y_min: handle.includes('n') ? clamp(Math.round(y_min + by.y), 0, y_max - leastSide) : y_min,
    y_max: handle.includes('s') ? clamp(Math.round(y_max + by.y), y_min + leastSide, image.height) : y_max,
  };
}

/** A rectangle made by key: a fifth of the image, in its middle. */
export function inTheMiddle(image: Size): Rectangle {
  const half = Math.max(leastSide, Math.min(image.width, image.height) / 10);
  const middle = { x: image.width / 2, y: image.height / 2 };
  return fromCorners({ x: middle.x - half, y: middle.y - half }, { x: middle.x + half, y: middle.y + half }, image);
}

/** The place of a handle, as a share of width and height. */
export function handlePlace(handle: Handle): Point {
  return {
    x: handle.includes('w') ? 0 : handle.includes('e') ? 1 : 0.5,
    y: handle.includes('n') ? 0 : handle.includes('s') ? 1 : 0.5,
  };
}
