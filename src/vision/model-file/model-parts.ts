import Type, { type Static, type TSchema } from 'typebox';
import Value from 'typebox/value';
import { say } from '../engine-messages.ts';
import type { Matrix } from '../math/matrix.ts';
import { VisionError } from '../vision-error.ts';
import type { ContainerContent } from './binary-container.ts';

/** A number of rows, columns or members in a header. */
export const COUNT = Type.Integer({ minimum: 1 });
const BRIGHTNESS = Type.Number({ minimum: 0, maximum: 255 });
/** See `InputLayout`. */
export const LAYOUT = Type.Object({
  canvasWidth: COUNT,
  canvasHeight: COUNT,
  tileWidth: COUNT,
  tileHeight: COUNT,
  pooling: Type.Optional(COUNT),
  exposure: Type.Optional(Type.Object({ target: BRIGHTNESS, brightness: Type.Optional(BRIGHTNESS) })),
});
/** Standard deviation of a map's blur, in cells. */
export const SMOOTHING = Type.Number({ minimum: 0 });
/** Class numbers; null: NG without a number. */
export const LABELS = Type.Array(Type.Union([Type.Integer(), Type.Null()]));

export const damagedPart = (part: string): VisionError =>
  new VisionError('invalid_model', say('model.damaged', { part }));

/** The header of a model. @throws VisionError `invalid_model` with the first field that does not fit the schema */
export function readHeader<Schema extends TSchema>(schema: Schema, { header }: ContainerContent): Static<Schema> {
  const [error] = Value.Errors(schema, header);
  if (error) throw damagedPart(error.instancePath.split('/')[1] ?? 'header');
  return header as Static<Schema>;
}

/** @throws VisionError `invalid_model` where it is missing, empty, or of another length */
export function readVector({ arrays }: ContainerContent, name: string, length: number): Float32Array {
  const found = arrays[name];
  if (found instanceof Float32Array && found.length === length && length > 0) return found;
  throw damagedPart(name);
}

/** @throws VisionError `invalid_model` where it is missing, empty, or of another length */
export const readMatrix = (content: ContainerContent, name: string, rows: number, columns: number): Matrix => ({
  rows,
  columns,
  data: readVector(content, name, rows * columns),
});
