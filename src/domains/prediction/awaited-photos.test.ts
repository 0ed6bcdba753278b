import { describe, expect, it } from 'vitest';
import { AwaitedPhotos } from './awaited-photos.ts';

const photo = (length: number): Uint8Array => new Uint8Array(length).fill(length);

describe('photos that wait to be judged', () => {
  it('are given out once', () => {
    const photos = new AwaitedPhotos(100);
    photos.keep('a', photo(10));
    expect(photos.take('a')).toEqual(photo(10));
    expect(photos.take('a')).toBeUndefined();
  });

  it('never take more room than they may: the oldest go', () => {
    const photos = new AwaitedPhotos(100);
    for (const [name, length] of [
      ['a', 60],
      ['b', 30],
      ['c', 30],
      ['a', 50],
      ['huge', 101],
    ] as const) {
      photos.keep(name, photo(length));
    }
    expect(photos.take('huge')).toBeUndefined();
    expect(photos.take('b')).toBeUndefined();
    expect(photos.take('c')).toHaveLength(30);
    expect(photos.take('a')).toHaveLength(50);
    photos.keep('d', photo(100));
    expect(photos.take('d')).toHaveLength(100);
  });
});
