import Type, { type Static } from 'typebox';
import { DateTime, Id, Int32, Nullable, Shape, StatusMessage } from '../../http/common-schemas.ts';
import { Item } from '../items/items.schemas.ts';

const CameraTrigger = Type.Union(
  [
    Type.Enum(['request'], { type: 'string' }),
    Shape('CameraInterval', { every_ms: Int32({ minimum: 100, maximum: 86_400_000 }) }),
  ],
  { description: 'camera: an image at …/trigger alone, or at an interval too' },
);

/** Where a station's images come from. The service checks which fields go with which kind. */
export const StationSource = Shape('StationSource', {
  kind: Type.Enum(['http', 'folder', 'ftp', 'camera'], {
    type: 'string',
    description:
      'http: images are sent to …/inspect; folder: they appear in a folder of the server; ftp: a camera sends them; camera: ffmpeg reads them from a camera',
  }),
  path: Type.Optional(Type.String({ minLength: 1, maxLength: 1000, description: 'folder: its absolute path' })),
  after: Type.Optional(
    Type.Enum(['keep', 'move', 'delete'], {
      type: 'string',
      description: 'folder: what happens to a file once its item is stored; move: to its subfolder "done"',
    }),
  ),
  url: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'camera: rtsp://, http:// (MJPEG) or v4l2:///dev/video0',
    }),
  ),
  trigger: Type.Optional(CameraTrigger),
});

const Fault = Nullable(
  Shape('StationFault', { status_text: Type.String(), status_messages: Type.Array(StatusMessage) }),
);

const SourceState = Shape('StationSourceState', {
  ready: Type.Boolean(),
  since: Type.String({ format: 'date-time', description: 'when the fault appeared or went away' }),
  waiting: Int32({ description: 'files that wait to be stored' }),
  fault: Fault,
  unreadable: Type.Array(
    Shape('UnreadableFile', {
      name: Type.String(),
      since: DateTime(),
      status_text: Type.String(),
      status_messages: Type.Array(StatusMessage),
    }),
    { description: 'files that are kept and cannot be read, 20 of them at most' },
  ),
});

/** Where a station's verdicts go. Each kind has its own fields, see `check-outputs.ts`. */
export const StationOutput = Shape('StationOutput', {
  kind: Type.Enum(['mqtt', 'modbus', 'webhook', 'sidecar'], {
    type: 'string',
    description: 'sidecar: a JSON file with the result beside each file of a watched folder',
  }),
  unit: Type.Optional(Int32({ minimum: 1, maximum: 247, description: 'modbus: number of its unit' })),
  timeout_ms: Type.Optional(
    Int32({
      minimum: 50,
      maximum: 60_000,
      description: 'modbus: after a trigger without a verdict for so long, the station signals a fault; absent: 2000',
    }),
  ),
  recipes: Type.Optional(
    Type.Array(Shape('StationRecipe', { number: Int32({ minimum: 1, maximum: 65_535 }), model_id: Id('model') }), {
      maxItems: 1000,
      description: 'modbus: the models that a controller chooses by number',
    }),
  ),
  url: Type.Optional(Type.String({ minLength: 1, maxLength: 2000, description: 'webhook: called with each result' })),
});

const settings = {
  name: Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' }),
  enabled: Type.Boolean({ description: 'false: it takes no images' }),
  target_id: Int32({ description: 'inspection target of its products; absent in a new station: the default' }),
  source: StationSource,
  name_pattern: Nullable(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description:
        'regular expression for the names of files: its groups "serial" and "lot" fill these, the others `fields`',
    }),
  ),
  outputs: Type.Array(StationOutput, { maxItems: 20 }),
  retention_id: Nullable(Id('rule of retention for its items; null: the rule for everywhere')),
};
const model_id = Nullable(Id('the model that inspects its images; null: it takes none'));

export const FtpLogin = Shape('FtpLogin', {
  user: Type.String(),
  password: Type.String({ description: 'shown once; only its hash is kept' }),
});

export const Station = Shape('Station', {
  station_id: Type.String(),
  ...settings,
  model_id,
  ftp_login: Type.Optional(FtpLogin),
  created_at: DateTime(),
  updated_at: DateTime(),
  state: Shape('StationState', {
    ready: Type.Boolean({ description: 'whether it takes images' }),
    waiting: Int32({ description: 'its items that wait for their verdict' }),
    last_item: Nullable(Item),
    fault: Fault,
    source: Nullable(SourceState),
  }),
});

const changes = {
  enabled: Type.Optional(settings.enabled),
  target_id: Type.Optional(settings.target_id),
  source: Type.Optional(settings.source),
  name_pattern: Type.Optional(settings.name_pattern),
  outputs: Type.Optional(settings.outputs),
  retention_id: Type.Optional(settings.retention_id),
};

export const StationChanges = Shape('StationChanges', { name: Type.Optional(settings.name), ...changes });
export const NewStation = Shape('NewStation', {
  name: settings.name,
  ...changes,
  model_id: Type.Optional(model_id),
});
/** Settings that are tried and not stored. */
export const StationTest = Shape('StationTest', {
  station_id: Type.Optional(Type.String({ description: 'the station that shall get them; absent: a new one' })),
  name: Type.Optional(settings.name),
  source: changes.source,
  name_pattern: changes.name_pattern,
  outputs: changes.outputs,
  file_name: Type.Optional(Type.String({ maxLength: 500, description: 'a name for `name_pattern` to read' })),
});
export const StationTestResult = Shape('StationTestResult', {
  tested: Type.Array(Shape('TestedSetting', { key: Type.String(), kind: Type.String() }), {
    description: 'source and outputs that were tried; each of them works',
  }),
  read: Nullable(
    Shape('ReadName', {
      serial: Nullable(Type.String({ description: 'what `name_pattern` reads from `file_name`' })),
      lot: Nullable(Type.String()),
      fields: Type.Record(Type.String(), Type.String()),
    }),
  ),
});
export const StationModel = Shape('StationModel', { model_id });
export const DeletedStation = Shape('DeletedStation', { station_id: Type.String() });
export const StationIdParams = Type.Object({ station_id: Id('station') });

export type StationOutputSettings = Static<typeof StationOutput>;
export type StationView = Static<typeof Station>;
export type StationChangesInput = Static<typeof StationChanges>;
export type StationTestInput = Static<typeof StationTest>;
export type StationTestAnswer = Static<typeof StationTestResult>;
export type NewStationInput = Static<typeof NewStation>;
