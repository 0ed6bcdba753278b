/** Shapes that every part of the engine shares. Units: pixels of the image named, scores without unit. */

/**
 * Bytes that several owners may hold: nobody writes to them. To change them, copy them with `new Uint8Array(bytes)`.
 * `slice` is missing on purpose, because that of a Node `Buffer` shares its memory.
 */
export interface ReadonlyBytes
  extends Pick<Uint8Array, 'buffer' | 'byteOffset' | 'byteLength' | 'every' | 'indexOf' | 'map'>,
    ArrayLike<number>,
    Iterable<number> {
  subarray(start?: number, end?: number): ReadonlyBytes;
}

/** Interleaved 8-bit RGB, rows from top to bottom. `data` is [height · width · 3]. */
export interface RgbImage {
  readonly width: number;
  readonly height: number;
  readonly data: ReadonlyBytes;
}

/** An image that its owner may write to. */
export interface OwnedImage extends RgbImage {
  readonly data: Uint8Array;
}

/** The file of an image. Only what is asked for is decoded. Sizes are those after EXIF rotation. */
export interface ImageFile {
  readonly width: number;
  readonly height: number;
  decode(): Promise<OwnedImage>;
  /** Pixels as those of the decoded image, reduced; in less time. Neither side may grow. */
  reduce(width: number, height: number): Promise<RgbImage>;
}

export type Picture = RgbImage | ImageFile;

/** A single-channel map of numbers, rows from top to bottom. `data` is [rows · columns]. */
export interface ScoreMap {
  readonly rows: number;
  readonly columns: number;
  readonly data: Float32Array;
}

/** x' = a·x + b·y + c, y' = d·x + e·y + f. Coordinates are continuous: the first pixel spans 0 to 1. */
export interface Affine {
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly d: number;
  readonly e: number;
  readonly f: number;
}

/** An image after the target's preprocessing steps, and the way back to the image as uploaded. */
export interface PreparedImage<Image extends Picture = RgbImage> {
  readonly image: Image;
  /** From coordinates of `image` to coordinates of the original. */
  readonly toOriginal: Affine;
  readonly originalWidth: number;
  readonly originalHeight: number;
  /** [height · width] of `image`, 1 = inspected, 0 = ignored; absent: everything is inspected. */
  readonly inspected?: Uint8Array;
  /** For a person, such as that a registration failed. */
  readonly remarks?: readonly Message[];
}

/** Where an image's map lies: the image without its pixels. */
export type ImageFrame = Omit<PreparedImage, 'image'> & {
  readonly image: { readonly width: number; readonly height: number };
};

/** A name, a figure or a setting in its own notation, or another message. Never a sentence. */
export type MessageValue = string | number | Message | readonly (string | Message)[];

/** A sentence to a person, as a code and its values. A catalogue for each language holds the words. */
export interface Message {
  readonly code: string;
  readonly values: Readonly<Record<string, MessageValue>>;
}

/** One preprocessing step as the model keeps it: name, validated config, active ones only. */
export interface PreprocessingStep {
  readonly name: string;
  readonly config: Readonly<Record<string, unknown>>;
}

/** In pixels, xMin < xMax, yMin < yMax. */
export interface Rectangle {
  readonly xMin: number;
  readonly yMin: number;
  readonly xMax: number;
  readonly yMax: number;
}

/** A defect's place in pixels of the original image. */
export interface Region extends Rectangle {
  /** Anomalous area by the map, square pixels of the original image. The outline may be tighter. */
  readonly area: number;
  /** Highest raw score inside. */
  readonly rawScore: number;
  /** Corners of the defect's outline, clockwise in the prepared image; absent: only the rectangle is known. */
  readonly outline?: readonly (readonly [x: number, y: number])[];
  /** Cells of the inspected map that the region grew to, before it was trimmed; absent: it was not found in a map. */
  readonly grown?: Int32Array;
  /** Class number, where the algorithm tells classes apart. */
  readonly label?: number;
}

/** In pixels of the original, with a class number. */
export interface LabelledRegion extends Rectangle {
  readonly label: number | null;
}

/** One image to learn from. `load` decodes lazily, so that memory does not grow with the number of images. */
export interface TrainingSample {
  /** The item that the image belongs to: images of one item are held out together. */
  readonly itemId: string;
  readonly name: string;
  readonly good: boolean;
  readonly regions: readonly LabelledRegion[];
  /** The same for the same file, and for no other; absent: not known. */
  readonly content?: string;
  load(): Promise<PreparedImage>;
}

/** What a remark names a training image by. */
export type NamedSample = Pick<TrainingSample, 'name' | 'itemId'>;

/** Values of the algorithm's parameters by name, validated and complete (defaults filled in). */
export type ParameterValues = Readonly<Record<string, string | number | boolean>>;

export interface ParameterSpec {
  /** int32 that never changes between releases. */
  readonly id: number;
  readonly name: string;
  readonly displayName: string;
  readonly dataType: 'int' | 'float' | 'bool' | 'string' | 'enum';
  readonly defaultValue: string;
  /** For `enum`: the allowed values, separated by `|`. */
  readonly rangeLower: string | null;
  readonly rangeUpper: string | null;
  readonly help: string;
}

/** Seeded source of randomness, the only one that the engine uses. */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
  /** Uniform integer in [0, limit). */
  integer(limit: number): number;
  /** Standard normal. */
  normal(): number;
}

export interface BackboneFile {
  readonly id: string;
  readonly onnx: Uint8Array;
  readonly description: BackboneDescription;
  /** The network that outlines defects, by `openOutliner`; absent: outlines are those of the map. */
  readonly outlines?: Uint8Array;
}

/** The JSON beside a network in `BACKBONES_DIR`. */
export interface BackboneDescription {
  /** Name of the image input: float32 (N, 3, H, W), normalised, or uint8 (N, H, W, 4): red, green, blue, 255. */
  readonly input: string;
  /** Feature outputs, (N, C, h, w), from fine to coarse. */
  readonly outputs: readonly string[];
  /** Pixel value 0–1 minus `mean`, divided by `std`, per channel; a network that takes bytes does that itself. */
  readonly mean: readonly [number, number, number];
  readonly std: readonly [number, number, number];
  /** Raw score of a typical good item by the patches of a single other one, by PatchCore; absent: unknown. */
  readonly otherItemScore?: number;
  /**
   * Name of the tensor that the finest output is computed from, (N, C, h, w). It tells more than that output, and
   * algorithms that learn from annotations use it; absent: they use the finest output.
   */
  readonly trunk?: string;
}

/** Scores of good (and NG) training images by models that had not seen them; what thresholds and projections come from. */
export interface Calibration {
  /** Raw score at which `anomaly_score` is 0.5. */
  readonly rawThreshold: number;
  readonly goodScores: readonly number[];
  readonly defectScores: readonly number[];
}

/** What an algorithm says of one prepared image, before thresholds, margins and areas are applied. */
export interface RawPrediction {
  /** Raw distances, the map's cells covering the prepared image evenly. */
  readonly map: ScoreMap;
  /** The pixels that the map was computed from, of the whole prepared image; absent: they are not kept. */
  readonly canvas?: RgbImage;
  /** Regions with class numbers, found by the algorithm itself; absent: regions are read off the map. */
  readonly regions?: readonly Region[];
  /** Class of the whole image, where the algorithm tells classes apart. */
  readonly label?: number;
}

export interface Predictor {
  predict(image: PreparedImage<Picture>): Promise<RawPrediction>;
  dispose(): Promise<void>;
}
