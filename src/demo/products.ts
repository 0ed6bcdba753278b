import { createDemoProduct, type DemoProduct } from './demo-product.ts';
import { machinedPart } from './machined-part/machined-part.ts';
import { printedLabel } from './printed-label/printed-label.ts';
import { wovenFabric } from './woven-fabric/woven-fabric.ts';

/** The products of the first run. */
export const products: readonly DemoProduct[] = [machinedPart, printedLabel, wovenFabric].map(createDemoProduct);

/** @throws RangeError for an id that is none of the products. */
export function getDemoProduct(id: string): DemoProduct {
  const product = products.find((candidate) => candidate.id === id);
  if (product) return product;
  throw new RangeError(`there is no demo product "${id}"; there are ${products.map((each) => each.id).join(', ')}`);
}
