import { createDemoProduct, type DemoProduct } from './demo-product.ts';
import { machinedPart } from './machined-part/machined-part.ts';
import { panel } from './panel/panel.ts';
import { printedLabel } from './printed-label/printed-label.ts';
import { wovenFabric } from './woven-fabric/woven-fabric.ts';

/** The products of the first run. */
export const products: readonly DemoProduct[] = [machinedPart, printedLabel, wovenFabric].map(createDemoProduct);

/** For pictures of many megapixels with defects of a few pixels; draw it at 4000×3000. */
export const largeProducts: readonly DemoProduct[] = [panel].map(createDemoProduct);

/** @throws RangeError for an id that is none of the products. */
export function getDemoProduct(id: string): DemoProduct {
  const all = [...products, ...largeProducts];
  const product = all.find((candidate) => candidate.id === id);
  if (product) return product;
  throw new RangeError(`there is no demo product "${id}"; there are ${all.map((each) => each.id).join(', ')}`);
}
