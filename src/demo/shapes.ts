import type { Random } from '../vision/types.ts';

/** A random number between two limits. */
export function between(random: Random, low: number, high: number): number {
  return low + random.next() * (high - low);
}

export function circle(x: number, y: number, radius: number, attributes: string): string {
  return `<circle cx="${x.toFixed(2)}" cy="${y.toFixed(2)}" r="${radius.toFixed(2)}" ${attributes}/>`;
}

export function path(data: string, attributes: string): string {
  return `<path d="${data}" ${attributes}/>`;
}

/** A closed outline around a point that strays from its circle: stains, drops, chips. */
export function blob(random: Random, x: number, y: number, radius: number, attributes: string): string {
  const corners = 14;
  const stretch = between(random, 0.75, 1);
  const points = Array.from({ length: corners }, (_, corner) => {
    const angle = (corner / corners) * 2 * Math.PI;
    const reach = radius * between(random, 0.8, 1.2);
    return `${(x + reach * Math.cos(angle)).toFixed(2)} ${(y + reach * stretch * Math.sin(angle)).toFixed(2)}`;
  });
  return path(`M${points.join('L')}Z`, `stroke-linejoin="round" ${attributes}`);
}

/** Data of a path that leaves a point at an angle (radians) and bends to one side by a share of its length. */
export function bentLine(x: number, y: number, angle: number, length: number, bend: number): string {
  const alongX = Math.cos(angle) * length;
  const alongY = Math.sin(angle) * length;
  const controlX = x + alongX / 2 - alongY * bend;
  const controlY = y + alongY / 2 + alongX * bend;
  const numbers = [x, y, controlX, controlY, x + alongX, y + alongY].map((value) => value.toFixed(2));
  return `M${numbers[0]} ${numbers[1]}Q${numbers[2]} ${numbers[3]} ${numbers[4]} ${numbers[5]}`;
}

/**
 * A filter that fills a shape with a grained colour.
 * @param frequency of the grain along x and y, per unit of the drawing
 * @param amount how far the grain goes from the colour, 0 to 1
 */
export function grainFilter(
  id: string,
  random: Random,
  colour: readonly [red: number, green: number, blue: number],
  frequency: string,
  amount: number,
): string {
  const rows = colour.map((level) => `${amount} 0 0 0 ${(level / 255 - amount / 2).toFixed(4)}`);
  return (
    `<filter id="${id}" x="0" y="0" width="1" height="1" color-interpolation-filters="sRGB">` +
    `<feTurbulence type="fractalNoise" baseFrequency="${frequency}" numOctaves="2" seed="${1 + random.integer(10_000)}"/>` +
    `<feColorMatrix values="${rows.join(' ')} 0 0 0 0 1"/>` +
    '<feComposite in2="SourceGraphic" operator="in"/></filter>'
  );
}
