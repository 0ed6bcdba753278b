import type { DemoProduct } from '../../src/demo/demo-product.ts';
import { bentLine, between, blob, circle, grainFilter, path } from '../../src/demo/shapes.ts';
import type { Random } from '../../src/vision/types.ts';

const RIGHT = 420;
const BOTTOM = 320;
const OUTLINE = `x="${-RIGHT}" y="${-BOTTOM}" width="${2 * RIGHT}" height="${2 * BOTTOM}" rx="30"`;
const BARCODE = { left: 60, top: 100, width: 300, height: 140 };
const BAND = { top: -85, height: 80 };
const BRAND = 'KENSA';

const DEFECTS: Readonly<Record<string, (random: Random) => string>> = {
  missing_character: () => '',
  misprint: () => '',
  barcode_void: drawBarcodeVoid,
  ink_spot: drawInkSpot,
  torn_corner: drawTornCorner,
};

/** A printed paper label on a cardboard box. */
export const printedLabel: DemoProduct = {
  id: 'printed-label',
  name: 'Printed label',
  defects: Object.keys(DEFECTS),
  background: (random) =>
    `<defs>${grainFilter('board', random, [176, 138, 98], '.03 .12', 0.16)}` +
    `${grainFilter('paper', random, [240, 235, 221], '.07 .15', 0.06)}` +
    `<clipPath id="label"><rect ${OUTLINE}/></clipPath></defs>` +
    '<rect x="-2000" y="-2000" width="4000" height="4000" filter="url(#board)"/>',
  draw(random, _degrees, defect) {
    const play = (): string => `translate(${between(random, -0.8, 0.8)} ${between(random, -0.8, 0.8)})`;
    const green = play();
    const red = play();
    const density = between(random, 0.9, 0.96);
    const missing = defect?.kind === 'missing_character' ? defect.random.integer(BRAND.length) : undefined;
    const misprint = defect?.kind === 'misprint' ? shiftPlate(defect.random) : '';
    return [
      ...[4, 9, 14].map((reach) => `<rect ${OUTLINE} transform="translate(${reach} ${reach})" opacity=".16"/>`),
      `<rect ${OUTLINE} filter="url(#paper)"/>`,
      `<g clip-path="url(#label)"><g transform="${green}${misprint}" opacity="${density}">${drawGreenPlate(missing)}</g></g>`,
      `<g transform="${red}" opacity="${density}" fill="none" stroke="#bc342c">${drawSeal()}</g>`,
      `<g opacity="${density}">${drawBlackPlate()}</g>`,
      defect ? (DEFECTS[defect.kind]?.(defect.random) ?? '') : '',
    ].join('');
  },
};

/** Brand, two leaves on a stem in a ring, and a band with the paper's colour in its words. */
function drawGreenPlate(missing: number | undefined): string {
  const leaf = (side: number): string =>
    path(`M-295 -180Q${-295 + side * 50} -190 ${-295 + side * 44} -240Q-300 -225 -295 -180Z`, '');
  return (
    `<g stroke="#24704a">${letters(BRAND, -200, -270, 85, missing)}` +
    `${circle(-295, -200, 72, 'fill="none" stroke-width="9"')}${path('M-295 -145V-212', 'stroke-width="7"')}</g>` +
    `<g fill="#24704a">${leaf(-1)}${leaf(1)}<rect x="-420" y="${BAND.top}" width="840" height="${BAND.height}"/></g>` +
    `<g fill="#efeadc">${drawWords(-360, -66, 42, [120, 160, 90])}</g>`
  );
}

function drawBlackPlate(): string {
  return (
    `<g fill="#222022">${drawWords(-370, 84, 38, [90, 44, 44])}` +
    `${drawWords(-197, -155, 31, [70, 80, 60])}${drawWords(-370, 45, 26, [80, 120])}` +
    `${drawWords(-370, 150, 26, [50, 130])}${drawWords(-370, 195, 18, [100, 30, 60])}` +
    `${drawWords(-370, 230, 18, [80, 70, 50, 60])}${drawWords(60, 252, 20, [20, 120, 120])}${drawBarcode()}</g>`
  );
}

/** Small print: words as bars of the given widths. */
function drawWords(x: number, y: number, height: number, widths: readonly number[]): string {
  const gap = height * 0.6;
  let left = x;
  const words = widths.map((width) => {
    const word = `<rect x="${left}" y="${y}" width="${width}" height="${height * 0.75}" rx="3"/>`;
    left += width + gap;
    return word;
  });
  return words.join('');
}

/** Bars of one to four modules, the same on every label. */
function drawBarcode(): string {
  const widths = '31121432113214112342113124113212431122131411232113'.split('').map(Number);
  const module = BARCODE.width / widths.reduce((sum, width) => sum + width, 0);
  let left = BARCODE.left;
  const bars = widths.map((width, index) => {
    const bar = `<rect x="${left}" y="${BARCODE.top}" width="${width * module}" height="${BARCODE.height}"/>`;
    left += width * module;
    return index % 2 === 0 ? bar : '';
  });
  return bars.join('');
}

function drawSeal(): string {
  return circle(310, -205, 42, 'stroke-width="8"') + path('M292 -203L305 -189L330 -220', 'stroke-width="9"');
}

/** The green plate printed out of register. */
function shiftPlate(random: Random): string {
  const angle = between(random, 0, 2 * Math.PI);
  const far = between(random, 26, 34);
  return `translate(${far * Math.cos(angle)} ${far * Math.sin(angle)})`;
}

/** A slanting strip where the print head gave no ink. */
function drawBarcodeVoid(random: Random): string {
  const left = BARCODE.left + between(random, 0, 80);
  const y = BARCODE.top + between(random, 35, 105);
  const strip = bentLine(left, y, between(random, -0.06, 0.06), between(random, 120, 220), 0);
  return path(strip, `stroke="#efeadc" stroke-width="${between(random, 12, 18)}"`);
}

/** On the bare paper between the dates and the barcode. */
function drawInkSpot(random: Random): string {
  const radius = between(random, 22, 28);
  const x = between(random, -55, 10);
  const y = between(random, 40, 260);
  const ink = 'fill="#242224"';
  return blob(random, x, y, radius, ink) + blob(random, x + radius * 2.1, y - radius * 1.2, radius * 0.35, ink);
}

/** One corner gone: the board shows, and the white core of the paper along the tear. */
function drawTornCorner(random: Random): string {
  const sideX = random.integer(2) === 0 ? -1 : 1;
  const sideY = random.integer(2) === 0 ? -1 : 1;
  const size = between(random, 110, 150);
  const x = sideX * (RIGHT + 30);
  const y = sideY * (BOTTOM + 30);
  const steps = 6;
  const tear = Array.from({ length: steps + 1 }, (_, step) => {
    const reach = (size * step) / steps;
    const ragged = between(random, -7, 7);
    return `${(x - sideX * (size - reach + ragged)).toFixed(2)} ${(y - sideY * (reach + ragged)).toFixed(2)}`;
  }).join('L');
  return (
    `<g clip-path="url(#label)">${path(`M${tear}`, 'fill="none" stroke="#fbf9f4" stroke-width="16"')}</g>` +
    path(`M${x} ${y}L${tear}Z`, 'filter="url(#board)"')
  );
}

/** Strokes of the letters of the label, 4 wide and 6 high: text in an SVG depends on the fonts of a machine. */
const LETTERS: Readonly<Record<string, string>> = {
  A: 'M0 6L2 0L4 6M1 4H3',
  E: 'M4 0H0V6H4M0 3H3',
  K: 'M0 0V6M4 0L0 3L4 6',
  N: 'M0 6V0L4 6V0',
  S: 'M4 1L3 0H1L0 1V2L1 3H3L4 4V5L3 6H1L0 5',
};
const ADVANCE = 5.8;

/**
 * A line of text from its upper left corner, as strokes in the current colour of the stroke.
 * @param height of the letters
 * @param missing index of a letter that is not drawn
 */
function letters(text: string, x: number, y: number, height: number, missing?: number): string {
  const strokes = [...text].map((letter, index) =>
    index === missing ? '' : path(LETTERS[letter] ?? '', `transform="translate(${index * ADVANCE} 0)"`),
  );
  const place = `transform="translate(${x} ${y}) scale(${height / 6})"`;
  return `<g ${place} fill="none" stroke-width="1" stroke-linejoin="round">${strokes.join('')}</g>`;
}
