import Type, { type Static, type TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { AppError, fieldError } from '../../errors.ts';
import type { BrokerCommand } from '../../line/mqtt-broker.ts';
import { say } from '../../messages/message.ts';
import { describeSchemaErrors } from '../../vision/schema-problems.ts';
import { ItemFields, type ItemOrigin } from '../items/items.schemas.ts';
import type { StationOutputSettings } from '../stations/stations.schemas.ts';

// PostgreSQL cannot store a zero character.
const Text = Type.Optional(Type.String({ maxLength: 200, pattern: '^[^\\u0000]*$' }));
const Trigger = Type.Object(
  {
    serial: Text,
    lot: Text,
    fields: Type.Optional(ItemFields),
    image: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9+/\\r\\n]+=*\\s*$' })),
    timeout_ms: Type.Optional(Type.Integer({ minimum: 0, maximum: 60_000 })),
  },
  { additionalProperties: false },
);
const ModelChoice = Type.Object(
  { model_id: Type.Optional(Type.String()), recipe: Type.Optional(Type.Integer()) },
  { additionalProperties: false },
);

const defaultTimeoutMs = 2000;

export interface TriggerCommand {
  readonly image: Buffer | undefined;
  readonly origin: ItemOrigin;
  readonly timeoutMs: number;
}

/**
 * A payload is empty, a JSON object with or without an image in base64, or an image file itself; the user properties of
 * an image file say what it is of. @throws AppError
 */
export function readTrigger({ payload, properties }: BrokerCommand): TriggerCommand {
  const isJson = payload.length === 0 || payload[0] === '{'.charCodeAt(0);
  const { timeout_ms: timeout, ...texts } = properties;
  const given = isJson
    ? readJson(payload)
    : { ...texts, ...(timeout === undefined ? {} : { timeout_ms: Number(timeout) }) };
  const { image, timeout_ms: timeoutMs, serial, lot, fields } = check(Trigger, given);
  const encoded = image === undefined ? undefined : Buffer.from(image, 'base64');
  if (JSON.stringify(fields ?? {}).includes('\\u0000'))
    throw fieldError('invalid-request', 'fields', say('field.zero-character'));
  return {
    image: isJson ? encoded : payload,
    origin: { ...(serial ? { serial } : {}), ...(lot ? { lot } : {}), ...(fields ? { fields } : {}) },
    timeoutMs: timeoutMs ?? defaultTimeoutMs,
  };
}

/** @returns the model that the command names itself or by the number of a recipe. @throws AppError */
export function readModelCommand({ payload }: BrokerCommand, outputs: readonly StationOutputSettings[]): string {
  const { model_id: modelId, recipe } = check(ModelChoice, readJson(payload));
  if (modelId !== undefined) return modelId;
  if (recipe === undefined) throw fieldError('invalid-request', 'model_id', say('field.required'));
  const known = outputs.flatMap(({ recipes = [] }) => recipes).find(({ number }) => number === recipe);
  if (!known) throw fieldError('invalid-request', 'recipe', say('output.no-recipe', { number: recipe }));
  return known.model_id;
}

function readJson(payload: Buffer): unknown {
  try {
    return payload.length === 0 ? {} : JSON.parse(payload.toString('utf8'));
  } catch {
    throw new AppError('malformed-body', { reason: say('body.no-json') });
  }
}

function check<T extends TSchema>(schema: T, value: unknown): Static<T> {
  if (Value.Check(schema, value)) return value;
  const [first] = describeSchemaErrors(Value.Errors(schema, value));
  throw fieldError('invalid-request', first?.key || 'payload', first?.problem ?? say('body.no-json'));
}
