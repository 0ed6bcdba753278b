import type { RefinableModel } from '../corrections/refinable-model.ts';
import type { FitInput, FitResult } from '../training/fit-input.ts';
import type { BackboneFile, ParameterSpec, ParameterValues, Predictor } from '../types.ts';
import type { MemoryState } from './contract/memory-state.ts';

export interface Algorithm {
  readonly id: string;
  readonly name: string;
  readonly type: 'anomaly_detection' | 'classification' | 'object_detection';
  readonly attribute: 'unsupervised' | 'supervised';
  readonly version: string;
  /** Their ids are part of the API and never change. */
  readonly parameters: readonly ParameterSpec[];
  fit(input: FitInput): Promise<FitResult>;
  /** @throws where the payload is not one that `fit` of this algorithm made. */
  open(payload: Uint8Array, backbone: BackboneFile, params: ParameterValues): Promise<Predictor>;
  /** Errors as those of `open`. */
  openRefinable(payload: Uint8Array, backbone: BackboneFile, threads?: number): Promise<RefinableModel>;
  /** The patches of good images that a model compares with; absent where it keeps none. Errors as those of `open`. */
  readMemory?(payload: Uint8Array): Promise<MemoryState>;
}

type Definition = Omit<ParameterSpec, 'id' | 'name'>;

const range = (dataType: 'int' | 'float', defaultValue: string, rangeLower: string, rangeUpper: string) => ({
  dataType,
  defaultValue,
  rangeLower,
  rangeUpper,
});

const choice = (defaultValue: string, values: string) =>
  ({ dataType: 'enum', defaultValue, rangeLower: values, rangeUpper: null }) as const;

const flag = (defaultValue: 'true' | 'false') =>
  ({ dataType: 'bool', defaultValue, rangeLower: null, rangeUpper: null }) as const;

/** Parameters that several algorithms have, by name. */
const COMMON = {
  backbone: {
    displayName: 'Feature network',
    dataType: 'string',
    defaultValue: 'auto',
    rangeLower: null,
    rangeUpper: null,
    help: 'auto takes our network in 8 bits, kensa the one in floats; or name one of your own that the server has.',
  },
  image_size: {
    displayName: 'Input size',
    ...range('int', '640', '64', '1024'),
    help: 'Lower it to 256 for the shortest time, when defects are large; time grows with its square.',
  },
  bank_size: {
    displayName: 'Memory bank',
    ...range('int', '0', '0', '20000'),
    help: 'Good features remembered; 0 takes 2,000 to 16,000, by how much good products vary. Time grows with it.',
  },
  rotations: {
    displayName: 'Learn rotated copies',
    ...choice('auto', 'auto|true|false'),
    help: 'Automatic: learns rotated copies where there are 200 good images or fewer and such copies resemble the others.',
  },
  flips: {
    displayName: 'Learn mirror images',
    ...choice('auto', 'auto|true|false'),
    help: 'Automatic: learns mirrored copies where there are 200 good images or fewer and such copies resemble the others.',
  },
  false_alarm_rate: {
    displayName: 'False alarm rate',
    ...range('float', '0.01', '0.0001', '0.5'),
    help: 'Share of good products that may be called NG; the automatic threshold is set by it.',
  },
  tiling: {
    displayName: 'Tiles',
    ...choice('auto', 'auto|on|off'),
    help: 'Automatic: cuts large images into overlapping tiles. Tiles find smaller defects, but take longer.',
  },
  max_tiles: {
    displayName: 'Most tiles',
    ...range('int', '200', '1', '2000'),
    help: 'Bounds time and memory of a large image, about 1 MB a tile; with fewer it is looked at more coarsely.',
  },
  smoothing: {
    displayName: 'Smoothing',
    ...range('float', '1', '0', '8'),
    help: 'In cells of the map. Raise it for large faint defects, lower it for pin-holes.',
  },
  drop_outliers: {
    displayName: 'Drop outliers',
    ...flag('true'),
    help: 'Switch off when every training image is certainly good, however unusual.',
  },
  seed: {
    displayName: 'Seed',
    ...range('int', '0', '0', '2147483647'),
    help: 'The same seed and images give the same model to the last byte.',
  },
} satisfies Record<string, Definition>;

/** A parameter that only one algorithm has. */
const parameter = (id: number, name: string, definition: Definition): ParameterSpec => ({ id, name, ...definition });

/** A parameter that several algorithms have. @param own what differs for this one */
const common = (id: number, name: keyof typeof COMMON, own: Partial<Definition> = {}): ParameterSpec =>
  parameter(id, name, { ...COMMON[name], ...own });

export const patchcore: Algorithm = {
  id: 'patchcore',
  name: 'PatchCore',
  type: 'anomaly_detection',
  attribute: 'unsupervised',
  version: '1',
  parameters: [
    common(101, 'backbone'),
    common(102, 'image_size'),
    common(103, 'bank_size'),
    parameter(104, 'neighbours', {
      displayName: 'Neighbours',
      ...range('int', '1', '1', '50'),
      help: 'Raise it to 3 or more when a few good training images are doubtful.',
    }),
    common(105, 'rotations'),
    common(106, 'flips'),
    common(107, 'false_alarm_rate'),
    common(108, 'tiling'),
    common(109, 'smoothing'),
    common(110, 'drop_outliers'),
    common(111, 'seed'),
    common(112, 'max_tiles'),
  ],
  fit: async (input) => (await import('./patchcore/fit.ts')).fitPatchcore(input),
  open: async (payload, backbone) => (await import('./patchcore/model.ts')).open(payload, backbone),
  openRefinable: async (...model) => (await import('./patchcore/model.ts')).openRefinable(...model),
  readMemory: async (payload) => (await import('./patchcore/model.ts')).decodePatchcore(payload),
};

export const padim: Algorithm = {
  id: 'padim',
  name: 'PaDiM',
  type: 'anomaly_detection',
  attribute: 'unsupervised',
  version: '1',
  parameters: [
    common(201, 'backbone'),
    common(202, 'image_size', { defaultValue: '512' }),
    parameter(203, 'channels', {
      displayName: 'Feature channels',
      ...range('int', '48', '4', '128'),
      help: 'Raise it when faint defects are missed; the model file grows with its square.',
    }),
    parameter(204, 'prior_images', {
      displayName: 'Weight of the common spread',
      ...range('float', '20', '1', '1000'),
      help: 'In images. Raise it when good products lie a little differently each time.',
    }),
    common(205, 'false_alarm_rate'),
    common(206, 'smoothing'),
    common(207, 'drop_outliers'),
    common(208, 'seed'),
  ],
  fit: async (input) => (await import('./padim/fit.ts')).fitPadim(input),
  open: async (payload, backbone) => (await import('./padim/model.ts')).open(payload, backbone),
  openRefinable: async (...model) => (await import('./padim/model.ts')).openRefinable(...model),
};

export const subspace: Algorithm = {
  id: 'subspace',
  name: 'Subspace',
  type: 'anomaly_detection',
  attribute: 'unsupervised',
  version: '1',
  parameters: [
    common(301, 'backbone'),
    common(302, 'image_size', { defaultValue: '512' }),
    parameter(303, 'explained_variance', {
      displayName: 'Explained variance',
      ...range('float', '0.993', '0.1', '0.9999'),
      help: 'Raise it when harmless differences count as defects, lower it when faint defects are missed.',
    }),
    parameter(304, 'max_axes', {
      displayName: 'Most axes',
      ...range('int', '128', '1', '200'),
      help: 'Raise it for products that vary much; training time grows with its cube.',
    }),
    common(305, 'rotations'),
    common(306, 'flips'),
    common(307, 'false_alarm_rate'),
    common(308, 'tiling'),
    common(309, 'smoothing'),
    common(310, 'drop_outliers'),
    common(311, 'seed'),
    common(312, 'max_tiles'),
  ],
  fit: async (input) => (await import('./subspace/fit.ts')).fitSubspace(input),
  open: async (payload, backbone) => (await import('./subspace/model.ts')).open(payload, backbone),
  openRefinable: async (...model) => (await import('./subspace/model.ts')).openRefinable(...model),
};

export const defectClassifier: Algorithm = {
  id: 'defect-classifier',
  name: 'Defect classifier',
  type: 'classification',
  attribute: 'supervised',
  version: '1',
  parameters: [
    common(401, 'backbone'),
    common(402, 'image_size'),
    common(403, 'bank_size'),
    common(404, 'false_alarm_rate'),
    common(405, 'tiling'),
    common(406, 'smoothing'),
    common(407, 'drop_outliers'),
    common(408, 'seed'),
    common(409, 'rotations'),
  ],
  fit: async (input) => (await import('./defect-classifier/fit.ts')).fitDefectClassifier(input),
  open: async (payload, backbone) =>
    (await import('./defect-classifier/model.ts')).openDefectClassifier(payload, backbone),
  openRefinable: async (...model) => (await import('./defect-classifier/model.ts')).openRefinableClassifier(...model),
  readMemory: async (payload) => (await import('./defect-classifier/model.ts')).decodeDefectClassifier(payload),
};

export const defectDetector: Algorithm = {
  id: 'defect-detector',
  name: 'Defect detector',
  type: 'object_detection',
  attribute: 'supervised',
  version: '4',
  parameters: [
    common(501, 'backbone'),
    common(502, 'image_size'),
    common(503, 'bank_size', {
      defaultValue: '1000',
      rangeLower: '10',
      help: 'Good features remembered, to find unknown anomalies. Raise it for products that vary much.',
    }),
    common(504, 'rotations', {
      ...flag('true'),
      help: 'Switch off when classes differ by which way a defect lies.',
    }),
    common(505, 'flips', { ...flag('true'), help: 'Switch off when classes differ by left and right.' }),
    parameter(506, 'training_steps', {
      displayName: 'Training steps',
      ...range('int', '2400', '10', '20000'),
      help: 'Raise it when there are hundreds of rectangles and classes are mixed up, lower it for a quick try; time grows with it.',
    }),
    common(507, 'false_alarm_rate'),
    common(508, 'tiling'),
    common(509, 'smoothing'),
    common(510, 'drop_outliers'),
    common(511, 'seed'),
  ],
  fit: async (input) => (await import('./defect-detector/fit.ts')).fitDefectDetector(input),
  open: async (payload, backbone) => (await import('./defect-detector/model.ts')).openDefectDetector(payload, backbone),
  openRefinable: async (...model) => (await import('./defect-detector/model.ts')).openRefinableDetector(...model),
  readMemory: async (payload) => (await import('./defect-detector/model.ts')).decodeDefectDetector(payload),
};

/** Every algorithm that a user can train. */
export const algorithms: readonly Algorithm[] = [patchcore, padim, subspace, defectClassifier, defectDetector];

export const findAlgorithm = (id: string): Algorithm | undefined => algorithms.find((algorithm) => algorithm.id === id);
