/** Measures of the flange in frame units, its centre at (0, 0). */
export const PART = {
  outerRadius: 0.41,
  outerBevel: 0.014,
  boltCircle: 0.325,
  boltRadius: 0.03,
  boltBevel: 0.009,
  bolts: 6,
  recessRadius: 0.2,
  recessWall: 0.006,
  boreRadius: 0.115,
  boreBevel: 0.016,
  pinRadius: 0.012,
} as const;

export interface Hole {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly bevel: number;
}

/** Six bolt holes, then one small pin hole that tells the part's turn. */
export const HOLES: readonly Hole[] = [
  ...Array.from({ length: PART.bolts }, (_, index) => {
    const angle = (index * 2 * Math.PI) / PART.bolts;
    return {
      x: PART.boltCircle * Math.cos(angle),
      y: PART.boltCircle * Math.sin(angle),
      radius: PART.boltRadius,
      bevel: PART.boltBevel,
    };
  }),
  { x: 0, y: -PART.boltCircle, radius: PART.pinRadius, bevel: 0.004 },
];

export const ENGRAVING = { text: 'KN-204', height: 0.034, weight: 0.17, baseline: 0.262 } as const;
