type Field = readonly [tag: number, type: 3 | 4, values: readonly number[]];

export interface TiffForm {
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 3;
  /** Compressed strips or tiles, from the top left. */
  readonly parts: readonly Uint8Array[];
  /** Number in the file: 1 none, 8 deflate, 32773 PackBits, 50000 Zstandard. */
  readonly compression: number;
  readonly bits?: 8 | 16 | 32;
  /** 1 unsigned, 2 signed, 3 floating point. */
  readonly sampleFormat?: 1 | 2 | 3;
  /** Rows of a strip; absent: all. */
  readonly rowsPerStrip?: number;
  /** Side of a tile; absent: strips. */
  readonly tile?: number;
  readonly more?: readonly Field[];
}

/** A TIFF file as cameras write it, its directory before the pixels, in forms that the library itself does not write. */
export function tiffFile(form: TiffForm): Buffer {
  const { width, height, channels, parts, compression, bits = 8, sampleFormat = 1, tile, more = [] } = form;
  const nowhere = parts.map(() => 0);
  const lengths = parts.map((part) => part.length);
  const place: Field[] =
    tile === undefined
      ? [
          [273, 4, nowhere],
          [278, 4, [form.rowsPerStrip ?? height]],
          [279, 4, lengths],
        ]
      : [
          [322, 4, [tile]],
          [323, 4, [tile]],
          [324, 4, nowhere],
          [325, 4, lengths],
        ];
  const fields: Field[] = [
    [256, 4, [width]],
    [257, 4, [height]],
    [258, 3, Array<number>(channels).fill(bits)],
    [259, 3, [compression]],
    [262, 3, [channels === 3 ? 2 : 1]],
    [277, 3, [channels]],
    [339, 3, Array<number>(channels).fill(sampleFormat)],
    ...place,
    ...more,
  ];
  fields.sort(([one], [other]) => one - other);
  const sizeOf = ([, type, values]: Field): number => values.length * (type === 4 ? 4 : 2);
  const directoryEnd = 10 + 12 * fields.length + 4;
  const longFields = fields.reduce((sum, field) => sum + (sizeOf(field) > 4 ? sizeOf(field) : 0), 0);
  let partAt = directoryEnd + longFields;
  const offsets = lengths.map((length) => {
    partAt += length;
    return partAt - length;
  });
  const file = Buffer.alloc(partAt);
  file.set([0x49, 0x49, 0x2a, 0, 8, 0, 0, 0]);
  file.writeUInt16LE(fields.length, 8);
  let longAt = directoryEnd;
  fields.forEach((field, index) => {
    const [tag, type, given] = field;
    const values = tag === 273 || tag === 324 ? offsets : given;
    const at = 10 + 12 * index;
    file.writeUInt16LE(tag, at);
    file.writeUInt16LE(type, at + 2);
    file.writeUInt32LE(values.length, at + 4);
    let valueAt = at + 8;
    if (sizeOf(field) > 4) {
      file.writeUInt32LE(longAt, at + 8);
      valueAt = longAt;
      longAt += sizeOf(field);
    }
    values.forEach((value, nth) => {
      if (type === 4) file.writeUInt32LE(value, valueAt + 4 * nth);
      else file.writeUInt16LE(value, valueAt + 2 * nth);
    });
  });
  parts.forEach((part, index) => {
    file.set(part, offsets[index]);
  });
  return file;
}
