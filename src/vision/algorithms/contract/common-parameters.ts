import type { ParameterSpec } from '../../types.ts';

type Definition = Omit<ParameterSpec, 'id' | 'name' | 'modelParameter'>;

const SWITCH = { dataType: 'bool', rangeLower: null, rangeUpper: null } as const;

/** Parameters that several algorithms have, by name. */
const COMMON = {
  backbone: {
    displayName: 'Feature network',
    dataType: 'string',
    defaultValue: 'auto',
    rangeLower: null,
    rangeUpper: null,
    help: 'auto takes the 8-bit network where the processor is fast with it; or name one of your own in BACKBONES_DIR.',
  },
  image_size: {
    displayName: 'Input size',
    dataType: 'int',
    defaultValue: '256',
    rangeLower: '64',
    rangeUpper: '1024',
    help: 'Raise it when defects are smaller than a hundredth of the image; time grows with its square.',
  },
  bank_size: {
    displayName: 'Memory bank',
    dataType: 'int',
    defaultValue: '0',
    rangeLower: '0',
    rangeUpper: '20000',
    help: 'Good features remembered; 0 takes 2,000 to 16,000, by how much good products vary. Time grows with it.',
  },
  rotations: {
    displayName: 'Learn quarter turns',
    dataType: 'enum',
    defaultValue: 'auto',
    rangeLower: 'auto|true|false',
    rangeUpper: null,
    help: 'auto learns quarter turns where there are few good images and rotated copies resemble the others.',
  },
  flips: {
    ...SWITCH,
    displayName: 'Learn mirror images',
    defaultValue: 'false',
    help: 'Switch on with few images of a product for which left and right make no difference.',
  },
  false_alarm_rate: {
    displayName: 'False alarm rate',
    dataType: 'float',
    defaultValue: '0.01',
    rangeLower: '0.0001',
    rangeUpper: '0.5',
    help: 'Share of good products that may be called NG; the automatic threshold is set by it.',
  },
  tiling: {
    displayName: 'Tiles',
    dataType: 'enum',
    defaultValue: 'auto',
    rangeLower: 'auto|on|off',
    rangeUpper: null,
    help: 'auto cuts large images into overlapping tiles; on finds smaller defects, off is faster.',
  },
  max_tiles: {
    displayName: 'Most tiles',
    dataType: 'int',
    defaultValue: '200',
    rangeLower: '1',
    rangeUpper: '2000',
    help: 'Bounds time and memory of a large image, about 1 MB a tile; with fewer it is looked at more coarsely.',
  },
  smoothing: {
    displayName: 'Smoothing',
    dataType: 'float',
    defaultValue: '1',
    rangeLower: '0',
    rangeUpper: '8',
    help: 'In cells of the map. Raise it for large faint defects, lower it for pin-holes.',
  },
  drop_outliers: {
    ...SWITCH,
    displayName: 'Drop outliers',
    defaultValue: 'true',
    help: 'Switch off when every training image is certainly good, however unusual.',
  },
  seed: {
    displayName: 'Seed',
    dataType: 'int',
    defaultValue: '0',
    rangeLower: '0',
    rangeUpper: '2147483647',
    help: 'The same seed and images give the same model to the last byte.',
  },
} satisfies Record<string, Definition>;

/** A parameter that training fixes and only one algorithm has. */
export const parameter = (id: number, name: string, definition: Definition): ParameterSpec => ({
  id,
  name,
  ...definition,
  modelParameter: true,
});

/** A parameter that several algorithms have. @param own what differs for this one */
export const commonParameter = (id: number, name: keyof typeof COMMON, own: Partial<Definition> = {}): ParameterSpec =>
  parameter(id, name, { ...COMMON[name], ...own });
