import type { Random } from '../vision/types.ts';
import type { DemoProduct } from './demo-product.ts';
import { bentLine, between, blob, circle, grainFilter, path } from './shapes.ts';

const OUTER = 410;
const BORE = 115;
const RECESS = 200;
const BOLTS = 6;
/** Where the key lamp stands, in degrees of the picture. */
const LAMP = -128;

interface Hole {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

const BOLT_HOLES: readonly Hole[] = Array.from({ length: BOLTS }, (_, index) => {
  const angle = (index / BOLTS) * 2 * Math.PI;
  return { x: 325 * Math.cos(angle), y: 325 * Math.sin(angle), radius: 30 };
});
/** The only mark beside the engraving that tells how the part is turned. */
const PIN_HOLE: Hole = { x: 0, y: -325, radius: 12 };
/** KENSA as strokes, each letter 4 wide and 6 high: text in an SVG depends on the fonts of a machine. */
const ENGRAVING = [
  'M0 0V6M4 0L0 3L4 6',
  'M4 0H0V6H4M0 3H3',
  'M0 6V0L4 6V0',
  'M4 1L3 0H1L0 1V2L1 3H3L4 4V5L3 6H1L0 5',
  'M0 6L2 0L4 6M1 4H3',
];

const DEFECTS: Readonly<Record<string, (random: Random, lamp: number) => string>> = {
  scratch: drawScratch,
  dent: drawDent,
  missing_hole: () => '',
  chip: drawChip,
  stain: drawStain,
};

/** A turned steel flange on a rubber mat. */
export const machinedPart: DemoProduct = {
  id: 'machined-part',
  name: 'Machined flange',
  defects: Object.keys(DEFECTS),
  background: (random) =>
    `<defs>${grainFilter('mat', random, [58, 66, 74], '.04', 0.09)}` +
    `${haze('shadow', '#000', 0.85, 0.65)}${haze('dark', '#000', 0, 0.9)}${haze('bright', '#fff', 0, 0.95)}</defs>` +
    '<rect x="-2000" y="-2000" width="4000" height="4000" filter="url(#mat)"/>',
  draw(random, degrees, defect) {
    const lamp = LAMP + between(random, -2.5, 2.5) - degrees;
    const missing = defect?.kind === 'missing_hole' ? defect.random.integer(BOLTS) : undefined;
    const holes = [...BOLT_HOLES.filter((_, index) => index !== missing), PIN_HOLE];
    return [
      // Light falls from the lamp's side into hollows and onto edges: one gradient for each way.
      `<defs>${lampGradient('edge', lamp, '#f0f4f8', '#101114')}${lampGradient('hollow', lamp, '#0c0d10', '#ececf0')}</defs>`,
      circle(18, 24, OUTER + 40, 'fill="url(#shadow)"'),
      drawFace(lamp),
      drawToolMarks(random),
      circle(0, 0, RECESS, 'fill="#000" fill-opacity=".17" stroke="url(#hollow)" stroke-width="7"'),
      circle(0, 0, OUTER - 7, 'fill="none" stroke="url(#edge)" stroke-width="14"'),
      ...[...holes, { x: 0, y: 0, radius: BORE }].map(drawHole),
      drawEngraving(),
      defect ? (DEFECTS[defect.kind]?.(defect.random, lamp) ?? '') : '',
    ].join('');
  },
};

/** A fill that is dense up to a share of the radius and fades to nothing at its edge. */
function haze(id: string, colour: string, dense: number, opacity: number): string {
  const stop = `stop-color="${colour}"`;
  return (
    `<radialGradient id="${id}"><stop offset="${dense}" ${stop} stop-opacity="${opacity}"/>` +
    `<stop offset="1" ${stop} stop-opacity="0"/></radialGradient>`
  );
}

function lampGradient(id: string, lamp: number, near: string, far: string): string {
  return (
    `<linearGradient id="${id}" gradientTransform="rotate(${(lamp + 180).toFixed(2)} .5 .5)">` +
    `<stop stop-color="${near}"/><stop offset="1" stop-color="${far}"/></linearGradient>`
  );
}

/** Grooves of turning throw the light of two lamps into fans: grey sectors that overlap, so that no seam shows. */
function drawFace(lamp: number): string {
  const sectors = 180;
  const step = (2 * Math.PI) / sectors;
  const toKey = (lamp * Math.PI) / 180;
  const corner = (angle: number): string =>
    `${(OUTER * Math.cos(angle)).toFixed(2)} ${(OUTER * Math.sin(angle)).toFixed(2)}`;
  const drawn = Array.from({ length: sectors }, (_, sector) => {
    const angle = sector * step;
    const light = 112 + 92 * Math.cos(angle - toKey) ** 6 + 46 * Math.cos(angle - toKey - 1.9) ** 8;
    const grey = `rgb(${(light * 0.975).toFixed(0)},${light.toFixed(0)},${(light * 1.03).toFixed(0)})`;
    const outline = `M0 0L${corner(angle - step)}A${OUTER} ${OUTER} 0 0 1 ${corner(angle + step)}Z`;
    return path(outline, `fill="${grey}"`);
  });
  return drawn.join('');
}

/** Every part has grooves of its own. */
function drawToolMarks(random: Random): string {
  const marks: string[] = [];
  for (let radius = BORE; radius < OUTER - 8; radius += 3) {
    const colour = random.integer(2) === 0 ? '#000' : '#fff';
    marks.push(circle(0, 0, radius, `stroke="${colour}" stroke-opacity="${between(random, 0, 0.13).toFixed(3)}"`));
  }
  return `<g fill="none" stroke-width="3">${marks.join('')}</g>`;
}

function drawHole({ x, y, radius }: Hole): string {
  const bevel = 2 + radius * 0.2;
  return circle(x, y, radius + Math.min(bevel, 15), 'fill="url(#hollow)"') + circle(x, y, radius, 'fill="#141519"');
}

function drawEngraving(): string {
  const letters = ENGRAVING.map((strokes, index) => path(strokes, `transform="translate(${index * 5.8} 0)"`));
  const place = `transform="translate(-77 228) scale(${34 / 6})"`;
  return `<g ${place} fill="none" stroke="#2c2d30" stroke-width="1" stroke-linejoin="round">${letters.join('')}</g>`;
}

/** A point of the face, away from bore and edge. */
function drawFacePoint(random: Random): [x: number, y: number] {
  const angle = between(random, 0, 2 * Math.PI);
  const radius = between(random, 225, 285);
  return [radius * Math.cos(angle), radius * Math.sin(angle)];
}

function drawScratch(random: Random): string {
  const [x, y] = drawFacePoint(random);
  // Towards the other side of the ring, more or less: the scratch stays on the part.
  const angle = Math.atan2(y, x) + Math.PI / 2 + between(random, -0.6, 0.6);
  const line = bentLine(x, y, angle, between(random, 150, 240), between(random, -0.2, 0.2));
  const shadow = path(line, 'stroke="#15161a" stroke-width="6" stroke-opacity=".5" transform="translate(3 3)"');
  return `<g fill="none" stroke-linecap="round">${shadow}${path(line, 'stroke="#f2f4f7" stroke-width="5"')}</g>`;
}

/** A knock: the side towards the lamp is dark, the far side bright. */
function drawDent(random: Random, lamp: number): string {
  const [x, y] = drawFacePoint(random);
  const radius = between(random, 16, 22);
  const offX = radius * 0.6 * Math.cos((lamp * Math.PI) / 180);
  const offY = radius * 0.6 * Math.sin((lamp * Math.PI) / 180);
  return (
    circle(x + offX, y + offY, radius * 1.8, 'fill="url(#dark)"') +
    circle(x - offX, y - offY, radius * 1.5, 'fill="url(#bright)"')
  );
}

/** A piece broken out of the outer edge. */
function drawChip(random: Random): string {
  const angle = between(random, 0, 2 * Math.PI);
  const radius = between(random, 36, 46);
  const centre = OUTER - radius * 0.15;
  return blob(random, centre * Math.cos(angle), centre * Math.sin(angle), radius, 'fill="#3b3d42"');
}

/** Dried coolant: a thin brown film with a darker rim. */
function drawStain(random: Random): string {
  const [x, y] = drawFacePoint(random);
  const film = 'fill="#4a3410" fill-opacity=".5" stroke="#3a2608" stroke-opacity=".6" stroke-width="6"';
  return blob(random, x, y, between(random, 28, 46), film);
}
