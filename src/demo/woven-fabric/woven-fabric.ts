import { drawPlacement, toProductX, toProductY } from '../picture/placement.ts';
import type { ProductModel } from '../picture/scene.ts';
import { addFabricDefect, FABRIC_DEFECTS } from './fabric-defects.ts';
import { drawCloth, shadeCloth, type ThreadPlace, toThreads } from './weave.ts';

/** Indigo twill, from anywhere on the roll. */
export const wovenFabric: ProductModel = {
  id: 'woven-fabric',
  name: 'Woven fabric',
  defects: FABRIC_DEFECTS,
  build(random, view, move) {
    const cloth = drawCloth(random, drawPlacement(random, move), view.pixel);
    const place: ThreadPlace = { warp: 0, weft: 0, acrossWarp: 0, acrossWeft: 0 };
    return {
      placement: cloth.at,
      clean: {
        shade(x, y, out) {
          toThreads(cloth, toProductX(cloth.at, x, y), toProductY(cloth.at, x, y), place);
          shadeCloth(cloth, place, out);
        },
      },
      withDefect: (kind, defectRandom) => addFabricDefect(kind, defectRandom, cloth),
    };
  },
};
