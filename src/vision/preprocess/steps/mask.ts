import Type from 'typebox';
import { defineStep } from '../step.ts';
import { MID_GREY } from '../warp-image.ts';
import { fillPolygon, type Point } from './fill-polygon.ts';
import { lengthInPixels, unitSchema } from './unit.ts';

const point = Type.Array(Type.Number(), { minItems: 2, maxItems: 2, description: 'x and y' });

/** Takes polygons out of the inspection. */
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
