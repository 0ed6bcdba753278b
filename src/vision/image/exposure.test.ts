import { describe, expect, it } from 'vitest';
import { brightnessOf, chooseExposure, exposeImage } from './exposure.ts';

const flat = (level: number) => ({ width: 2, height: 2, data: new Uint8Array(12).fill(level) });
const repeated = (count: number, ...values: number[]) =>
  Array.from({ length: count }, (_, index) => values[index % values.length]!);

describe('chooseExposure', () => {
  it('leaves products alone that are lit evenly and well', () => {
    expect(chooseExposure(repeated(20, 100, 110, 120))).toBeUndefined();
    expect(chooseExposure([90, 180])).toBeUndefined();
    expect(chooseExposure([])).toBeUndefined();
    expect(chooseExposure([20])).toBeUndefined();
  });

  it('brightens a dark product by one factor for all images', () => {
    const exposure = chooseExposure(repeated(8, 19, 20, 20, 21))!;
    expect(exposure).toEqual({ target: 110, brightness: 20 });
    expect(brightnessOf(exposeImage(flat(10), exposure))).toBe(55);
    expect(brightnessOf(exposeImage(flat(20), exposure))).toBe(110);
  });

  it('measures each image where the light varies, and where few dark images may not be usual', () => {
    const exposure = chooseExposure(repeated(12, 80, 100, 125))!;
    expect(exposure).toEqual({ target: 100 });
    for (const level of [40, 80, 100, 125, 150]) expect(brightnessOf(exposeImage(flat(level), exposure))).toBe(100);
    expect(chooseExposure([20, 21])).toEqual({ target: 110 });
  });

  it('does not make up an image where there is no light', () => {
    expect(brightnessOf(exposeImage(flat(0), { target: 110 }))).toBe(0);
    expect(brightnessOf(exposeImage(flat(3), { target: 110 }))).toBe(24);
  });
});

describe('exposeImage', () => {
  const dark = { target: 110, brightness: 20 };

  it('keeps differences between bright places, and black', () => {
    const image = { width: 256, height: 1, data: Uint8Array.from({ length: 768 }, (_, at) => Math.floor(at / 3)) };
    const { data } = exposeImage(image, dark);
    expect([data[0], data[3 * 20]]).toEqual([0, 110]);
    const bright = [20, 40, 60, 90, 130, 190, 255].map((level) => data[3 * level]!);
    expect(bright).toEqual([...new Set(bright)].sort((a, b) => a - b));
    expect(data[3 * 255]).toBeLessThan(255);
  });

  it('does not write to the image', () => {
    const image = flat(20);
    exposeImage(image, dark);
    expect(image).toEqual(flat(20));
  });
});
