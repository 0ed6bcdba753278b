/** Writes protocol buffers field by field: as much of the wire format as ONNX files need. */
export class ProtobufWriter {
  readonly #parts: Uint8Array[] = [];
  #length = 0;

  #append(part: Uint8Array): void {
    this.#parts.push(part);
    this.#length += part.length;
  }

  #varint(value: number | bigint): void {
    const bytes: number[] = [];
    let rest = BigInt.asUintN(64, BigInt(value));
    while (rest > 0x7fn) {
      bytes.push(Number(rest & 0x7fn) | 0x80);
      rest >>= 7n;
    }
    bytes.push(Number(rest));
    this.#append(Uint8Array.from(bytes));
  }

  integer(field: number, value: number | bigint): this {
    this.#varint(field << 3);
    this.#varint(value);
    return this;
  }

  float(field: number, value: number): this {
    this.#varint((field << 3) | 5);
    const bytes = new Uint8Array(4);
    new DataView(bytes.buffer).setFloat32(0, value, true);
    this.#append(bytes);
    return this;
  }

  bytes(field: number, value: Uint8Array): this {
    this.#varint((field << 3) | 2);
    this.#varint(value.length);
    this.#append(value);
    return this;
  }

  text(field: number, value: string): this {
    return this.bytes(field, new TextEncoder().encode(value));
  }

  message(field: number, value: ProtobufWriter): this {
    this.#varint((field << 3) | 2);
    this.#varint(value.#length);
    for (const part of value.#parts) this.#append(part);
    return this;
  }

  finish(): Uint8Array {
    const result = new Uint8Array(this.#length);
    let offset = 0;
    for (const part of this.#parts) {
      result.set(part, offset);
      offset += part.length;
    }
    return result;
  }
}
