import sharp, { type JpegOptions } from 'sharp';
import { describe, expect, it } from 'vitest';
import { mutate } from '../../../test/fuzz/mutate.ts';
import { createRandom } from '../math/random.ts';
import { decodeImage, probeImage } from './decode-image.ts';
import { findPlainJpeg } from './plain-jpeg.ts';

const [width, height] = [64, 48];
const pixels = Uint8Array.from({ length: width * height * 3 }, (_, index) => (index * 7919 + (index >> 5) * 31) & 255);
const photo = () => sharp(pixels, { raw: { width, height, channels: 3 } });
const jpeg = (options: JpegOptions) => photo().jpeg(options).toBuffer();
const whole = await jpeg({ quality: 90 });
const size = { format: 'jpeg', width, height };

describe('findPlainJpeg', () => {
  it('tells the size of baseline JPEGs, in colour and grey, whatever follows them', async () => {
    const fine = await jpeg({ quality: 90, chromaSubsampling: '4:4:4', optimiseCoding: true });
    const grey = await photo().greyscale().jpeg().toBuffer();
    const appended = Buffer.concat([whole, Buffer.from('PK and more')]);
    for (const bytes of [whole, fine, grey, appended]) expect(findPlainJpeg(bytes)).toEqual(size);
  });

  it('leaves to the decoder what is turned, progressive, cut off or no JPEG', async () => {
    const turned = await photo().withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const progressive = await jpeg({ progressive: true });
    const png = await photo().png().toBuffer();
    const cut = [3, 100, 620, whole.length - 2, whole.length - 1].map((length) => whole.subarray(0, length));
    for (const bytes of [turned, progressive, png, new Uint8Array(), ...cut]) {
      expect(findPlainJpeg(bytes)).toBeUndefined();
    }
  });

  it('leaves to the decoder what lacks a table or promises too many pixels', () => {
    const at = (marker: number): number => whole.indexOf(Buffer.from([0xff, marker]));
    const without = (marker: number): Buffer => {
      const length = whole.readUInt16BE(at(marker) + 2);
      return Buffer.concat([whole.subarray(0, at(marker)), whole.subarray(at(marker) + 2 + length)]);
    };
    const huge = Buffer.from(whole);
    huge.writeUInt32BE(0xffffffff, at(0xc0) + 5);
    for (const bytes of [without(0xc0), without(0xc4), without(0xdb), huge]) {
      expect(findPlainJpeg(bytes)).toBeUndefined();
    }
  });

  it('accepts nothing that the decoder would refuse', async () => {
    const random = createRandom(3);
    let accepted = 0;
    for (let round = 0; round < 600; round++) {
      const bytes = Buffer.from(mutate(whole, random));
      const found = findPlainJpeg(bytes);
      if (!found || found.width * found.height > 1_000_000) continue;
      accepted++;
      expect(await probeImage(bytes)).toEqual(found);
      expect(await decodeImage(bytes)).toMatchObject({ width: found.width, height: found.height });
    }
    expect(accepted).toBeGreaterThan(100);
  });
});
