/**
 * A message of protocol buffers in parts, so that large ones are copied once: as much of the wire format as ONNX files
 * need.
 */
export type Message = readonly Uint8Array[];

function varint(value: number | bigint): Uint8Array {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  while (rest > 0x7fn) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  return Uint8Array.of(...bytes, Number(rest));
}

export const integer = (field: number, value: number | bigint): Message => [varint(field << 3), varint(value)];

export function float(field: number, value: number): Message {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setFloat32(0, value, true);
  return [varint((field << 3) | 5), bytes];
}

/** A field that is a message itself. */
export function embedded(field: number, parts: Message): Message {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return [varint((field << 3) | 2), varint(length), ...parts];
}

export const text = (field: number, value: string): Message => embedded(field, [new TextEncoder().encode(value)]);

/** A field of a message. */
export interface Field {
  readonly number: number;
  /** With its key and length. */
  readonly bytes: Uint8Array;
  /** Of a field that has a length; empty in others. */
  readonly content: Uint8Array;
}

const [VARINT, FIXED_64, WITH_LENGTH, FIXED_32] = [0, 1, 2, 5];

/** The fields of a message in their order. @throws RangeError where the bytes are no message */
export function readFields(message: Uint8Array): Field[] {
  const fields: Field[] = [];
  let at = 0;
  const readVarint = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = message[at++];
      if (byte === undefined) throw new RangeError('The message ends within a number.');
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
  };
  while (at < message.length) {
    const start = at;
    const key = readVarint();
    const wireType = key % 8;
    let length = 0;
    if (wireType === VARINT) readVarint();
    else if (wireType === FIXED_64) at += 8;
    else if (wireType === FIXED_32) at += 4;
    else if (wireType === WITH_LENGTH) {
      length = readVarint();
      at += length;
    } else throw new RangeError(`There is no wire type ${wireType}.`);
    if (at > message.length) throw new RangeError('The message ends within a field.');
    const content = message.subarray(at - length, at);
    fields.push({ number: Math.floor(key / 8), bytes: message.subarray(start, at), content });
  }
  return fields;
}
