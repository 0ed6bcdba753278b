import { memoryUsage } from 'node:process';
import { describe, expect, it, vi } from 'vitest';
import { collectGarbage } from './collect-garbage.ts';

const MIB = 1024 * 1024;
const leave = (mib: number): void => {
  for (let piece = 0; piece < mib; piece++) new Uint8Array(MIB).fill(1);
};

describe('collectGarbage', () => {
  it.each([{ options: undefined }, { options: { type: 'minor' } as const }])(
    'frees what nobody holds: $options',
    async ({ options }) => {
      const held = new Uint8Array(8 * MIB).fill(7);
      leave(20);
      const before = memoryUsage().arrayBuffers;
      collectGarbage(options);
      // Another thread gives the memory back.
      await vi.waitFor(() => expect(before - memoryUsage().arrayBuffers).toBeGreaterThan(15 * MIB));
      expect(held[held.length - 1]).toBe(7);
    },
  );
});
