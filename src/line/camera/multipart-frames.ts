/** A JPEG image of a camera. */
export interface Frame {
  readonly bytes: Buffer;
  /** When its first byte came, on the clock of `performance.now()`. */
  readonly startedAt: number;
}

const largestFrame = 64 * 1024 * 1024;
const longestHeader = 4096;

/**
 * Cuts the output of ffmpeg's format `mpjpeg` into frames.
 * @returns a function that takes the next bytes and returns the frames that they complete. It throws where the stream has
 * another format.
 */
export function createFrameParser(): (chunk: Buffer) => Frame[] {
  let parts: Buffer[] = [];
  let size = 0;
  let missing: number | undefined;
  let startedAt = 0;

  const takeFirst = (length: number): Buffer => {
    const all = Buffer.concat(parts);
    parts = [all.subarray(length)];
    size = all.length - length;
    return all.subarray(0, length);
  };

  return (chunk) => {
    if (size === 0) startedAt = performance.now();
    parts.push(chunk);
    size += chunk.length;
    const frames: Frame[] = [];
    for (;;) {
      if (missing === undefined) {
        const end = Buffer.concat(parts).indexOf('\r\n\r\n');
        if (end < 0) {
          if (size > longestHeader) throw new Error('A frame has no header.');
          return frames;
        }
        const length = Number(/content-length:\s*(\d+)/i.exec(takeFirst(end + 4).toString('latin1'))?.[1]);
        if (!(length > 0 && length <= largestFrame)) throw new Error('A frame has no possible length.');
        missing = length;
      }
      // Joins the parts of a frame once, when it is complete.
      if (size < missing) return frames;
      const bytes = Buffer.from(takeFirst(missing));
      missing = undefined;
      if (bytes[0] === 0xff && bytes[1] === 0xd8) frames.push({ bytes, startedAt });
      startedAt = performance.now();
    }
  };
}
