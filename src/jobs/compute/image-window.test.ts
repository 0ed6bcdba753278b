import { describe, expect, it } from 'vitest';
import { ImageWindow } from './image-window.ts';

const open = (count: number, ahead: number) => {
  const fetched: number[] = [];
  const window = new ImageWindow(count, ahead, async (index) => {
    fetched.push(index);
    if (index === 3) throw new Error('gone');
    return Uint8Array.of(index);
  });
  return { window, fetched };
};

describe('ImageWindow', () => {
  it('fetches each image once, ahead of its use', async () => {
    const { window, fetched } = open(3, 2);
    expect(await window.get(0)).toEqual(Uint8Array.of(0));
    expect(fetched).toEqual([0, 1, 2]);
    expect([await window.get(1), await window.get(2)]).toEqual([Uint8Array.of(1), Uint8Array.of(2)]);
    expect(fetched).toEqual([0, 1, 2]);
  });

  it('serves any order, and the same image again', async () => {
    const { window } = open(20, 2);
    for (const index of [5, 6, 0, 19, 6, 5]) expect(await window.get(index)).toEqual(Uint8Array.of(index));
  });

  it('reports a failure only to the caller that asks for the image', async () => {
    const { window } = open(5, 2);
    await window.get(1);
    await new Promise((resolve) => setTimeout(resolve, 5));
    await window.get(2);
    await expect(window.get(3)).rejects.toThrow('gone');
    expect(await window.get(4)).toEqual(Uint8Array.of(4));
  });
});
