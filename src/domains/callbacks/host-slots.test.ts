import { expect, it } from 'vitest';
import { createHostSlots } from './host-slots.ts';

it('gives a host so many slots at a time, and every host its own', () => {
  const slots = createHostSlots({ perHost: 2 });
  const first = slots.take('a:80');
  expect(first).toBeDefined();
  expect(slots.take('a:80')).toBeDefined();
  expect(slots.take('a:80')).toBeUndefined();
  expect(slots.take('b:80')).toBeDefined();
  first?.();
  expect(slots.take('a:80')).toBeDefined();
});

it('lets those that wait come one after the other, as fast as the host answers, within a minute', () => {
  let time = 0;
  const slots = createHostSlots({ perHost: 2, now: () => time });
  for (let call = 0; call < 20; call++) {
    const release = slots.take('hanging:80');
    time += 10_000;
    release?.();
  }
  slots.take('hanging:80');
  const waits = Array.from({ length: 40 }, () => slots.waitMs('hanging:80'));
  expect(waits[1]).toBeGreaterThan((waits[0] ?? 0) + 4000);
  expect(Math.max(...waits)).toBe(60_000);
  expect(slots.waitMs('unknown:80')).toBe(50);
});
