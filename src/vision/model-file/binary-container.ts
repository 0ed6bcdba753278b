import { createHash } from 'node:crypto';
import Type, { type Static } from 'typebox';
import Value from 'typebox/value';
import { say } from '../engine-messages.ts';
import type { Message } from '../message.ts';
import { VisionError } from '../vision-error.ts';

type ContainerArray = Float32Array | Float64Array | Uint8Array | Uint32Array;

/** What a container holds: a JSON header and arrays by name. */
export interface ContainerContent {
  readonly header: Readonly<Record<string, unknown>>;
  readonly arrays: Readonly<Record<string, ContainerArray>>;
}

const VERSION = 1;
const PREAMBLE = 48; // magic 8, version 4, header length 4, SHA-256 of the rest 32
const ALIGNMENT = 8;
const SIZE = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const ARRAY = Type.Object({
  name: Type.String(),
  kind: Type.Union([Type.Literal('float32'), Type.Literal('float64'), Type.Literal('uint8'), Type.Literal('uint32')]),
  offset: SIZE,
  length: SIZE,
});
const CONTENTS = Type.Object({ header: Type.Record(Type.String(), Type.Unknown()), arrays: Type.Array(ARRAY) });

type ArrayEntry = Static<typeof ARRAY>;

const CONSTRUCTORS = { float32: Float32Array, float64: Float64Array, uint8: Uint8Array, uint32: Uint32Array };

const kindOf = (array: ContainerArray): ArrayEntry['kind'] => {
  if (array instanceof Float32Array) return 'float32';
  if (array instanceof Float64Array) return 'float64';
  return array instanceof Uint32Array ? 'uint32' : 'uint8';
};
const aligned = (offset: number): number => Math.ceil(offset / ALIGNMENT) * ALIGNMENT;
const digest = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest();

/**
 * Bytes with magic, version and checksum; the same content gives the same bytes.
 * @param magic eight ASCII characters that name the kind of file
 */
export function encodeContainer(magic: string, { header, arrays }: ContainerContent): Uint8Array {
  let offset = 0;
  const entries = Object.entries(arrays).map(([name, array]): ArrayEntry => {
    const entry = { name, kind: kindOf(array), offset, length: array.length };
    offset = aligned(offset + array.byteLength);
    return entry;
  });
  const json = new TextEncoder().encode(JSON.stringify({ header, arrays: entries }));
  const start = aligned(PREAMBLE + json.length);
  const bytes = new Uint8Array(start + offset);
  bytes.set(new TextEncoder().encode(magic), 0);
  const view = new DataView(bytes.buffer);
  view.setUint32(8, VERSION, true);
  view.setUint32(12, json.length, true);
  bytes.set(json, PREAMBLE);
  Object.values(arrays).forEach((array, index) => {
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), start + (entries[index]?.offset ?? 0));
  });
  bytes.set(digest(bytes.subarray(PREAMBLE)), 16);
  return bytes;
}

const invalid = (detail: Message): VisionError => new VisionError('invalid_model', detail);

/** @throws VisionError `invalid_model` for another kind of file, an unknown version, or bytes that were changed. */
export function decodeContainer(magic: string, bytes: Uint8Array): ContainerContent {
  const found = new TextDecoder('latin1').decode(bytes.subarray(0, 8));
  if (bytes.length < PREAMBLE || found !== magic) throw invalid(say('model.not-a-model', { magic }));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const version = view.getUint32(8, true);
  if (version !== VERSION) throw invalid(say('model.version', { found: version, known: VERSION }));
  const checksum = digest(bytes.subarray(PREAMBLE));
  if (Buffer.compare(checksum, bytes.subarray(16, PREAMBLE)) !== 0) throw invalid(say('model.checksum'));
  const jsonEnd = PREAMBLE + view.getUint32(12, true);
  const { header, arrays } = parseContents(bytes.subarray(PREAMBLE, jsonEnd));
  const start = aligned(jsonEnd);
  const decoded = arrays.map(({ name, kind, offset, length }): [string, ContainerArray] => {
    const Kind = CONSTRUCTORS[kind];
    if (start + offset + length * Kind.BYTES_PER_ELEMENT > bytes.length)
      throw invalid(say('model.damaged', { part: name }));
    // Copied, because a view needs an aligned address. Not by slice(): that of a Buffer shares its memory.
    const part = new Uint8Array(bytes.subarray(start + offset, start + offset + length * Kind.BYTES_PER_ELEMENT));
    return [name, new Kind(part.buffer, 0, length)];
  });
  return { header, arrays: Object.fromEntries(decoded) };
}

/** The checksum keeps out accidents, not a stranger's file: nothing is taken for granted. */
function parseContents(json: Uint8Array): Static<typeof CONTENTS> {
  try {
    return Value.Parse(CONTENTS, JSON.parse(new TextDecoder().decode(json)));
  } catch {
    throw invalid(say('model.damaged', { part: 'contents' }));
  }
}
