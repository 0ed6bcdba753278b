import type { Random } from '../../src/vision/types.ts';

const edges = [0, 1, 0x7f, 0x80, 0xff];
const wideEdges = [0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffff0];

/** A copy with a few defects: bits, bytes, numbers at the edge of their range, parts cut out, doubled or cut off. */
export function mutate(bytes: Uint8Array, random: Random): Uint8Array {
  let copy: Uint8Array = Uint8Array.from(bytes);
  for (let count = 1 + random.integer(4); count > 0; count--)
    copy = defects[random.integer(defects.length)]?.(copy, random) ?? copy;
  return copy;
}

type Defect = (bytes: Uint8Array, random: Random) => Uint8Array;

const place = (bytes: Uint8Array, random: Random): number => random.integer(Math.max(1, bytes.length));

const defects: readonly Defect[] = [
  (bytes, random) => {
    const at = place(bytes, random);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << random.integer(8));
    return bytes;
  },
  (bytes, random) => {
    bytes[place(bytes, random)] = edges[random.integer(edges.length)] ?? 0;
    return bytes;
  },
  (bytes, random) => {
    if (bytes.length < 4) return bytes;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    view.setUint32(
      random.integer(bytes.length - 3),
      wideEdges[random.integer(wideEdges.length)] ?? 0,
      random.integer(2) === 0,
    );
    return bytes;
  },
  (bytes, random) => bytes.slice(0, place(bytes, random)),
  (bytes, random) => {
    const [from, to] = [place(bytes, random), place(bytes, random)].sort((one, other) => one - other);
    return Uint8Array.from([...bytes.slice(0, from), ...bytes.slice(to)]);
  },
  (bytes, random) => {
    const from = place(bytes, random);
    const part = bytes.slice(from, from + 1 + random.integer(16));
    return Uint8Array.from([...bytes.slice(0, from), ...part, ...bytes.slice(from)]);
  },
];

const fragments = [
  '%',
  'px',
  '-',
  '+',
  'e308',
  '0x',
  '1e999',
  'NaN',
  '__proto__',
  '\u0000',
  '\u202e',
  '"',
  "'",
  '\\',
  '../',
  '{}',
  '[',
  ']',
  '\n',
  '　',
  'Ā',
  '9'.repeat(40),
  ' '.repeat(50),
  'a'.repeat(60),
];

/** The same for text. */
export function mutateText(text: string, random: Random): string {
  let changed = text;
  for (let count = 1 + random.integer(4); count > 0; count--) {
    const at = random.integer(changed.length + 1);
    const cut = random.integer(4);
    const fragment =
      random.integer(2) === 0
        ? (fragments[random.integer(fragments.length)] ?? '')
        : String.fromCodePoint(random.integer(0xd7ff));
    changed = changed.slice(0, at) + fragment + changed.slice(at + cut);
  }
  return changed;
}
