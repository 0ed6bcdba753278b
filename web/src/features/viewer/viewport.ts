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

/** Zooms around `point`. */
export function zoomAt(view: Viewport, factor: number, point: Point, smallest: number): Viewport {
  const scale = Math.max(smallest / 2, Math.min(maxScale, view.scale * factor));
  const ratio = scale / view.scale;
  return { scale, x: point.x - (point.x - view.x) * ratio, y: point.y - (point.y - view.y) * ratio };
}

export function toImage(view: Viewport, point: Point): Point {
  return { x: (point.x - view.x) / view.scale, y: (point.y - view.y) / view.scale };
}
