import type { RgbImage } from '../../vision/types.ts';
import type { Camera } from './camera.ts';
import type { Box, Scene, View } from './scene.ts';

/** Pixels of a rectangle, right and bottom excluded. */
export interface PixelBox {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export function drawPicture(scene: Scene, camera: Camera, view: View): RgbImage {
  const image = { width: view.width, height: view.height, data: new Uint8Array(view.width * view.height * 3) };
  drawInto(image, scene, camera, view, { left: 0, top: 0, right: view.width, bottom: view.height });
  return image;
}

/** Draws the scene over the pixels of one rectangle of a picture, in place. */
export function drawInto(image: RgbImage, scene: Scene, camera: Camera, view: View, box: PixelBox): void {
  const colour = new Float64Array(3);
  for (let row = box.top; row < box.bottom; row++) {
    const y = (row + 0.5 - view.height / 2) * view.pixel;
    for (let column = box.left; column < box.right; column++) {
      const x = (column + 0.5 - view.width / 2) * view.pixel;
      scene.shade(x, y, colour);
      camera.expose(x, y, colour);
      const at = (row * view.width + column) * 3;
      camera.addGrain(column, row, colour);
      image.data[at] = toByte(colour[0]!);
      image.data[at + 1] = toByte(colour[1]!);
      image.data[at + 2] = toByte(colour[2]!);
    }
  }
}

/** The pixels that a box of frame units touches, cut to the picture. */
export function toPixelBox(box: Box, view: View): PixelBox {
  const column = (x: number): number => x / view.pixel + view.width / 2;
  const row = (y: number): number => y / view.pixel + view.height / 2;
  return {
    left: Math.max(0, Math.floor(column(box.left)) - 1),
    top: Math.max(0, Math.floor(row(box.top)) - 1),
    right: Math.min(view.width, Math.ceil(column(box.right)) + 1),
    bottom: Math.min(view.height, Math.ceil(row(box.bottom)) + 1),
  };
}

function toByte(value: number): number {
  return value < 0 ? 0 : value > 255 ? 255 : (value + 0.5) | 0;
}
