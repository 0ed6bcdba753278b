import Type, { type Static } from 'typebox';

export const manifestName = 'manifest.json';
export const formatName = 'kensa-models';
/** Counted up whenever an older release could not read the file any more. */
export const formatVersion = 1;

const Text = (maxLength: number) => Type.String({ minLength: 1, maxLength });
const Hash = Type.String({ pattern: '^[0-9a-f]{64}$' });
const Path = Type.String({ pattern: '^files/[0-9a-f]{64}$' });
const Share = Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()]);
const Count = Type.Integer({ minimum: 0, maximum: 2147483647 });
const Json = Type.Record(Type.String(), Type.Unknown());
const Channel = Type.Tuple([Type.Number(), Type.Number(), Type.Number()]);
const closed = { additionalProperties: false };

/** An image of the training with the score that the model gives it, in six decimals. */
const GoldenImage = Type.Object({ file: Path, anomaly_score: Type.String({ pattern: '^[01]\\.\\d{6}$' }) }, closed);

const ExportedModel = Type.Object(
  {
    model_id: Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' }),
    name: Text(200),
    algorithm_id: Text(100),
    version: Type.Integer({ minimum: 1, maximum: 2147483647 }),
    created_at: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' }),
    params: Json,
    steps: Type.Array(Type.Object({ name: Text(100), config: Json }, closed), { maxItems: 50 }),
    references: Type.Record(Type.String(), Path),
    seed: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
    ok_img_count: Count,
    ng_img_count: Count,
    training_time: Type.Union([Count, Type.Null()]),
    accuracy: Share,
    precision: Share,
    recall: Share,
    calibration: Json,
    predict_parameters: Type.Object(
      {
        threshold: Type.Number({ minimum: 0, maximum: 1 }),
        ignore_outer: Text(100),
        min_detected_area: Type.Number({ minimum: 0, maximum: 1e9 }),
      },
      closed,
    ),
    file: Path,
    backbone: Type.Object(
      {
        id: Text(200),
        file: Path,
        description: Type.Object(
          {
            input: Text(200),
            outputs: Type.Array(Text(200), { minItems: 1, maxItems: 8 }),
            mean: Channel,
            std: Channel,
            otherItemScore: Type.Optional(Type.Number({ minimum: 0 })),
            trunk: Type.Optional(Text(200)),
          },
          { additionalProperties: true },
        ),
      },
      closed,
    ),
    picture: Type.Union([Path, Type.Null()]),
    golden: Type.Array(GoldenImage, { minItems: 1, maxItems: 10 }),
  },
  closed,
);

/** What a file of exported models says of itself; every other file in it is named by its content's hash. */
export const Manifest = Type.Object(
  {
    format: Type.Literal(formatName),
    format_version: Type.Literal(formatVersion),
    kensa_version: Text(100),
    created_at: Text(40),
    files: Type.Record(Path, Type.Object({ sha256: Hash, size: Type.Integer({ minimum: 0 }) }, closed)),
    models: Type.Array(ExportedModel, { minItems: 1, maxItems: 1000 }),
  },
  closed,
);

export type ModelManifest = Static<typeof Manifest>;
export type ExportedModelEntry = Static<typeof ExportedModel>;

/** All files that the models refer to. */
export function listFiles(models: readonly ExportedModelEntry[]): string[] {
  const paths = models.flatMap((model) => [
    model.file,
    model.backbone.file,
    ...(model.picture === null ? [] : [model.picture]),
    ...Object.values(model.references),
    ...model.golden.map((golden) => golden.file),
  ]);
  return [...new Set(paths)];
}
