import Type from 'typebox';
import { defineStep } from '../step.ts';
import { MID_GREY } from '../warp-image.ts';
import { lengthInPixels, unitSchema } from './geometry.ts';

const point = Type.Array(Type.Number(), { minItems: 2, maxItems: 2, description: 'x and y' });

export const mask = defineStep({
  name: 'mask',
  title: 'Mask',
  help: 'Areas that are not inspected: serial numbers, printed dates, a conveyor belt. They are painted grey, so that what is in them changes nothing.',
  fields: {
    polygons: Type.Array(Type.Array(point, { minItems: 3, maxItems: 200 }), {
      minItems: 1,
      maxItems: 100,
      description: 'Each a list of corners [x, y]',
    }),
    ignore: Type.Enum(['inside', 'outside'], {
      default: 'inside',
      description: 'What is not inspected: the polygons, or everything but the polygons',
    }),
    unit: unitSchema,
  },
  example: {
    polygons: [
      [
        [60, 5],
        [95, 5],
        [95, 20],
        [60, 20],
      ],
    ],
    ignore: 'inside',
    unit: 'percent',
  },
  build: (config) => async (prepared) => {
    const { width, height } = prepared.image;
    const covered = new Uint8Array(width * height);
    for (const polygon of config.polygons) {
      const corners = polygon.map(
        ([x = 0, y = 0]): Point => [lengthInPixels(x, config.unit, width), lengthInPixels(y, config.unit, height)],
      );
      fillPolygon(covered, width, height, corners);
    }
    const ignored = config.ignore === 'inside' ? 1 : 0;
    const data = new Uint8Array(prepared.image.data);
    const inspected = prepared.inspected ? new Uint8Array(prepared.inspected) : new Uint8Array(width * height).fill(1);
    for (let at = 0; at < covered.length; at++) {
      if (covered[at] !== ignored) continue;
      inspected[at] = 0;
      data.fill(MID_GREY, at * 3, at * 3 + 3);
    }
    return { ...prepared, image: { width, height, data }, inspected };
  },
});

export type Point = readonly [number, number];

/** Sets the cells whose centre is in a polygon of any shape and size. @param map [height · width], changed in place */
export function fillPolygon(map: Uint8Array, width: number, height: number, corners: readonly Point[]): void {
  const ys = corners.map((corner) => corner[1]);
  const firstRow = Math.max(0, Math.floor(Math.min(...ys)));
  const lastRow = Math.min(height - 1, Math.ceil(Math.max(...ys)));
  for (let row = firstRow; row <= lastRow; row++) {
    const crossings = crossingsAt(corners, row + 0.5);
    for (let pair = 0; pair + 1 < crossings.length; pair += 2) {
      // A cell is inside where its centre is: from crossing − ½ up, to crossing − ½ down.
      const from = Math.max(0, Math.ceil(crossings[pair]! - 0.5));
      const to = Math.min(width, Math.ceil(crossings[pair + 1]! - 0.5));
      if (to > from) map.fill(1, row * width + from, row * width + to);
    }
  }
}

/** Where the outline crosses a horizontal line, from left to right. */
function crossingsAt(corners: readonly Point[], y: number): number[] {
  const crossings: number[] = [];
  corners.forEach(([x0, y0], index) => {
    const [x1, y1] = corners[(index + 1) % corners.length]!;
    if (y0 <= y !== y1 <= y) crossings.push(x0 + ((y - y0) / (y1 - y0)) * (x1 - x0));
  });
  return crossings.sort((a, b) => a - b);
}
