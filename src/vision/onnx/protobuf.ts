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
