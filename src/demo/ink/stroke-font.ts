/** One stroke: x0, y0, x1, y1, … on a grid 4 wide and 6 high, y down, baseline at 6. */
export type Stroke = readonly number[];

/** A letter's place on a line of text, in the units of the text's height. */
export interface PlacedGlyph {
  readonly character: string;
  readonly strokes: readonly Stroke[];
  /** Left edge of the letter. */
  readonly x: number;
}

const GRID_HEIGHT = 6;
/** Letter and the gap after it, in grid cells. */
const ADVANCE = 5.8;

// Two digits are a point, a blank joins points, a bar lifts the pen. The angular letters of engraving machines.
const LETTERS: Readonly<Record<string, string>> = {
  A: '06 20 46|14 34',
  B: '00 30 41 42 33 03|33 44 45 36 06 00',
  C: '41 30 10 01 05 16 36 45',
  D: '00 20 42 44 26 06 00',
  E: '40 00 06 46|03 33',
  F: '40 00 06|03 33',
  G: '41 30 10 01 05 16 36 45 43 23',
  H: '00 06|40 46|03 43',
  I: '10 30|20 26|16 36',
  J: '40 45 36 16 05',
  K: '00 06|40 03 46',
  L: '00 06 46',
  M: '06 00 23 40 46',
  N: '06 00 46 40',
  O: '10 30 41 45 36 16 05 01 10',
  P: '06 00 30 41 42 33 03',
  Q: '10 30 41 45 36 16 05 01 10|34 46',
  R: '06 00 30 41 42 33 03|23 46',
  S: '41 30 10 01 02 13 33 44 45 36 16 05',
  T: '00 40|20 26',
  U: '00 05 16 36 45 40',
  V: '00 26 40',
  W: '00 16 23 36 40',
  X: '00 46|40 06',
  Y: '00 23 40|23 26',
  Z: '00 40 06 46',
  '0': '10 30 41 45 36 16 05 01 10|32 14',
  '1': '11 20 26|16 36',
  '2': '01 10 30 41 42 06 46',
  '3': '01 10 30 41 42 33 44 45 36 16 05|13 33',
  '4': '36 30 04 44',
  '5': '40 00 03 12 32 43 45 36 16 05',
  '6': '30 10 01 05 16 36 45 44 33 13 04',
  '7': '00 40 16',
  '8': '13 02 01 10 30 41 42 33 13 04 05 16 36 45 44 33',
  '9': '16 36 45 41 30 10 01 02 13 33 42',
  '-': '13 33',
  '.': '26 26',
  ':': '22 22|25 25',
  '/': '06 40',
};

/**
 * Sets a line of text. Heights are 1; multiply by the height wanted.
 * @throws RangeError for a character that the font does not have.
 */
export function layOutText(text: string): PlacedGlyph[] {
  return [...text].flatMap((character, index) => {
    if (character === ' ') return [];
    const drawn = LETTERS[character];
    if (drawn === undefined) throw new RangeError(`the stroke font has no "${character}"; it has A-Z, 0-9 and - . : /`);
    const strokes = drawn
      .split('|')
      .map((stroke) => [...stroke.replaceAll(' ', '')].map((digit) => Number(digit) / GRID_HEIGHT));
    return [{ character, strokes, x: (index * ADVANCE) / GRID_HEIGHT }];
  });
}

/** Width of a line of text of height 1. */
export function textWidth(text: string): number {
  return text.length === 0 ? 0 : ((text.length - 1) * ADVANCE + 4) / GRID_HEIGHT;
}
