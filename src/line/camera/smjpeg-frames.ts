/** A JPEG image of a camera. */
export interface Frame {
  readonly bytes: Buffer;
  /** When its first byte came, on the clock of `performance.now()`. */
  readonly startedAt: number;
  /** Its time on the clock of the camera, in milliseconds modulo 2³². */
  readonly timestamp: number;
  /** Such as `1920x1080`. */
  readonly size: string;
}

const largestFrame = 64 * 1024 * 1024;
const largestHeader = 4096;

/** Reads ffmpeg's format `smjpeg`. Each `yield` asks for so many bytes. */
function* readFrames(onFrame: (frame: Frame) => void): Generator<number, never, Buffer> {
  const magic = yield 16;
  if (magic.toString('latin1', 0, 8) !== '\0\nSMJPEG') throw new Error('The stream has no header.');
  for (let size = ''; ; ) {
    const name = (yield 4).toString('latin1');
    if (name === 'vidD') {
      const startedAt = performance.now();
      const timestamp = (yield 4).readUInt32BE();
      const length = (yield 4).readUInt32BE();
      if (length > largestFrame) throw new Error('A frame has no possible length.');
      const bytes = yield length;
      if (bytes[0] === 0xff && bytes[1] === 0xd8) onFrame({ bytes, startedAt, timestamp, size });
    } else if (name.startsWith('_')) {
      const length = (yield 4).readUInt32BE();
      if (length > largestHeader) throw new Error('A header has no possible length.');
      const header = yield length;
      if (name === '_VID') size = `${header.readUInt16BE(4)}x${header.readUInt16BE(6)}`;
    } else if (name !== 'HEND' && name !== 'DONE') throw new Error('The stream has an unknown part.');
  }
}

/**
 * @returns a function that takes the next bytes of the stream and returns the frames that they complete. It throws where
 * the stream has another format.
 */
export function createFrameParser(): (chunk: Buffer) => Frame[] {
  let frames: Frame[] = [];
  const reader = readFrames((frame) => frames.push(frame));
  let needed = reader.next().value;
  let parts: Buffer[] = [];
  let available = 0;
  return (chunk) => {
    frames = [];
    parts.push(chunk);
    available += chunk.length;
    while (available >= needed) {
      // Joins the parts of a frame once, when it is complete.
      const [first = chunk] = parts;
      const all = parts.length > 1 ? Buffer.concat(parts) : first;
      parts = [all.subarray(needed)];
      available -= needed;
      // A copy, so that a kept frame does not keep its neighbours.
      needed = reader.next(Buffer.from(all.subarray(0, needed))).value;
    }
    return frames;
  };
}
