import type { ParameterSpec } from '../../types.ts';

type Flag = 'rotations' | 'flips' | 'drop_outliers';

const spec = (
  id: number,
  name: string,
  displayName: string,
  dataType: ParameterSpec['dataType'],
  defaultValue: string,
  range: readonly [string | null, string | null],
  help: string,
): ParameterSpec => ({
  id,
  name,
  displayName,
  dataType,
  defaultValue,
  rangeLower: range[0],
  rangeUpper: range[1],
  modelParameter: true,
  help,
});

/** A parameter that training fixes; `range` is empty for texts and switches, `[a|b|c, null]` for a choice. */
export const parameterSpec = spec;

/** @param own `auto` only where 8 bits cost no more than 0.002 of image AUROC on any of our sets */
export const backboneParameter = (id: number, own: 'auto' | 'kensa'): ParameterSpec =>
  spec(
    id,
    'backbone',
    'Feature network',
    'string',
    own,
    [null, null],
    'auto takes the 8-bit network where the processor is fast with it; or name one of your own in BACKBONES_DIR.',
  );

export const imageSizeParameter = (id: number, size = 256): ParameterSpec =>
  spec(
    id,
    'image_size',
    'Input size',
    'int',
    String(size),
    ['64', '1024'],
    'Raise it when defects are smaller than a hundredth of the image; time grows with its square.',
  );

export const falseAlarmRateParameter = (id: number): ParameterSpec =>
  spec(
    id,
    'false_alarm_rate',
    'False alarm rate',
    'float',
    '0.01',
    ['0.0001', '0.5'],
    'Share of good products that may be called NG; the automatic threshold is set by it.',
  );

export const tilingParameter = (id: number): ParameterSpec =>
  spec(
    id,
    'tiling',
    'Tiles',
    'enum',
    'auto',
    ['auto|on|off', null],
    'auto cuts large images into overlapping tiles; on finds smaller defects, off is faster.',
  );

export const mostTilesParameter = (id: number): ParameterSpec =>
  spec(
    id,
    'max_tiles',
    'Most tiles',
    'int',
    '200',
    ['1', '2000'],
    'Bounds time and memory of a large image, about 1 MB a tile; with fewer it is looked at more coarsely.',
  );

export const smoothingParameter = (id: number): ParameterSpec =>
  spec(
    id,
    'smoothing',
    'Smoothing',
    'float',
    '1',
    ['0', '8'],
    'In cells of the map. Raise it for large faint defects, lower it for pin-holes.',
  );

export const seedParameter = (id: number): ParameterSpec =>
  spec(
    id,
    'seed',
    'Seed',
    'int',
    '0',
    ['0', '2147483647'],
    'The same seed and images give the same model to the last byte.',
  );

const FLAGS: Readonly<Record<Flag, readonly [string, string, string]>> = {
  rotations: ['Learn quarter turns', 'false', 'Switch on with few images of a product that may lie any way round.'],
  flips: [
    'Learn mirror images',
    'false',
    'Switch on with few images of a product for which left and right make no difference.',
  ],
  drop_outliers: [
    'Leave out odd images',
    'true',
    'Switch off when every training image is certainly good, however unusual.',
  ],
};

/** Of anomaly algorithms; read with `learnsTurned`. */
export const turnedCopiesParameter = (id: number): ParameterSpec =>
  spec(
    id,
    'rotations',
    FLAGS.rotations[0],
    'enum',
    'auto',
    ['auto|true|false', null],
    'auto learns quarter turns where there are few good images and turned ones resemble the others.',
  );

/** @param meaning what differs for this algorithm from the usual default and help */
export const flagParameter = (
  id: number,
  name: Flag,
  meaning: { readonly defaultValue?: 'true' | 'false'; readonly help?: string } = {},
): ParameterSpec => {
  const [displayName, defaultValue, help] = FLAGS[name];
  const { defaultValue: value = defaultValue, help: when = help } = meaning;
  return spec(id, name, displayName, 'bool', value, [null, null], when);
};

/** Of a memory that sets its size itself. */
export const bankSizeParameter = (id: number): ParameterSpec =>
  spec(
    id,
    'bank_size',
    'Memory bank',
    'int',
    '0',
    ['0', '20000'],
    'Good features remembered; 0 takes 2,000 to 16,000, by how much good products vary. Time grows with it.',
  );
