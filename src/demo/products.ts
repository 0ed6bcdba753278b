import type { DemoProduct } from './demo-product.ts';
import { machinedPart } from './machined-part.ts';
import { printedLabel } from './printed-label.ts';

export const products: readonly DemoProduct[] = [machinedPart, printedLabel];

/** @throws RangeError that names the products for an id that none of them has */
export function getDemoProduct(id: string): DemoProduct {
  const product = products.find((candidate) => candidate.id === id);
  if (product) return product;
  throw new RangeError(`there is no demo product "${id}"; there are ${products.map((each) => each.id).join(', ')}`);
}
