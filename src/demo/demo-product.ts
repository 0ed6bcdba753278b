import { createRandom } from '../vision/math/random.ts';
import type { Random, RgbImage } from '../vision/types.ts';
import { createCamera } from './picture/camera.ts';
import { differenceMask } from './picture/difference-mask.ts';
import { drawInto, drawPicture, toPixelBox } from './picture/draw-picture.ts';
import type { Placement } from './picture/placement.ts';
import { createView, type Move, type ProductModel } from './picture/scene.ts';

export interface RenderOptions {
  readonly width: number;
  readonly height: number;
  /** One of the product's `defects`; absent: a good sample. */
  readonly defect?: string;
  /** How far the product lies from its usual place; absent: only the fixture's play. */
  readonly move?: Move;
}

export interface DemoPicture {
  readonly image: RgbImage;
  /** [height · width], 1 where the defect shows; all 0 for a good sample. */
  readonly mask: Uint8Array;
  /** Where the product lies, in frame units: what registration has to find. */
  readonly placement: Placement;
}

export interface DemoProduct {
  /** Lower case with hyphens, never changes. */
  readonly id: string;
  readonly name: string;
  readonly defects: readonly string[];
  /**
   * Draws one sample. The same random state gives the same sample with and without a defect, and at every size.
   * @throws RangeError for a defect that the product does not have, or a size below 32 pixels.
   */
  render(random: Random, options: RenderOptions): DemoPicture;
}

const AT_REST: Move = { x: 0, y: 0, degrees: 0 };
const SMALLEST = 32;

export function createDemoProduct(model: ProductModel): DemoProduct {
  return {
    id: model.id,
    name: model.name,
    defects: model.defects,
    render(random, { width, height, defect, move }) {
      checkOptions(model, width, height, defect);
      const sampleRandom = createRandom(random.integer(2 ** 32));
      const defectRandom = createRandom(random.integer(2 ** 32));
      const view = createView(width, height);
      const sample = model.build(sampleRandom, view, move ?? AT_REST);
      const camera = createCamera(sampleRandom);
      const clean = drawPicture(sample.clean, camera, view);
      if (defect === undefined) {
        return { image: clean, mask: new Uint8Array(width * height), placement: sample.placement };
      }

      const scene = sample.withDefect(defect, defectRandom);
      const box = toPixelBox(scene.box, view);
      const image = { width, height, data: clean.data.slice() };
      drawInto(image, scene, camera, view, box);
      return { image, mask: differenceMask(clean, image, box), placement: sample.placement };
    },
  };
}

function checkOptions(model: ProductModel, width: number, height: number, defect: string | undefined): void {
  for (const side of [width, height]) {
    if (!Number.isInteger(side) || side < SMALLEST) {
      throw new RangeError(`a demo picture needs whole sides from ${SMALLEST} pixels, got ${width}×${height}`);
    }
  }
  if (defect !== undefined && !model.defects.includes(defect)) {
    throw new RangeError(`${model.id} has no defect "${defect}"; it has ${model.defects.join(', ')}`);
  }
}
