import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bitsOf,
  initialSignals,
  nextSignals,
  registersOf,
  type SignalEvent,
  type SignalVerdict,
  type StationSignals,
} from './station-signals.ts';

const ok: SignalVerdict = { result: 'OK', score: 0.2318, regions: 0, label: 0, modelVersion: 3, milliseconds: 41 };
const ng: SignalVerdict = { result: 'NG', score: 0.91, regions: 2, label: 7, modelVersion: 3, milliseconds: 52 };

const run = (events: readonly SignalEvent[], from: StationSignals = initialSignals): StationSignals =>
  events.reduce(nextSignals, from);
const open: SignalEvent = { kind: 'blocked', by: undefined };
const ready = run([open]);
const verdict = (sequence: number, given = ok): SignalEvent => ({ kind: 'verdict', sequence, verdict: given });

/** Names of the bits that are 1. */
const set = (signals: StationSignals): string =>
  Object.entries(bitsOf(signals))
    .filter(([, bit]) => bit)
    .map(([name]) => name)
    .join(' ');

describe('signals', () => {
  it.each<[string, SignalEvent[], string]>([
    ['after the start', [], 'ready'],
    ['a trigger', [{ kind: 'trigger' }], 'busy'],
    ['a good product', [{ kind: 'trigger' }, { kind: 'image' }, verdict(1)], 'ready valid ok'],
    ['a bad product', [{ kind: 'trigger' }, verdict(1, ng)], 'ready valid ng'],
    ['an image without a trigger', [{ kind: 'image' }, verdict(1)], 'ready valid ok'],
    ['a new trigger', [{ kind: 'image' }, verdict(1), { kind: 'trigger' }], 'busy'],
    ['a new image', [{ kind: 'image' }, verdict(1), { kind: 'image' }], 'busy'],
    ['a verdict of the trigger before', [{ kind: 'trigger' }, { kind: 'trigger' }, verdict(1)], 'busy'],
    ['a timeout', [{ kind: 'trigger' }, { kind: 'failed', sequence: 1 }], 'ready fault'],
    ['a verdict after its timeout', [{ kind: 'image' }, { kind: 'failed', sequence: 1 }, verdict(1)], 'ready fault'],
    [
      'a failure of the trigger before',
      [{ kind: 'image' }, { kind: 'image' }, { kind: 'failed', sequence: 1 }],
      'busy',
    ],
    ['a lost worker', [{ kind: 'image' }, verdict(1), { kind: 'lost' }], 'ready fault'],
    ['a verdict after a lost worker', [{ kind: 'image' }, { kind: 'lost' }, verdict(1)], 'ready fault'],
    ['a fault of the station', [{ kind: 'image' }, verdict(1), { kind: 'blocked', by: 'fault' }], 'fault'],
    ['the same, mended', [{ kind: 'image' }, verdict(1), { kind: 'blocked', by: 'fault' }, open], 'ready fault'],
    ['a change of the model', [{ kind: 'image' }, verdict(1), { kind: 'blocked', by: 'changing' }], 'valid ok'],
    ['a trigger during it', [{ kind: 'blocked', by: 'changing' }, { kind: 'trigger' }, verdict(1)], 'fault'],
    ['an acknowledged verdict', [{ kind: 'image' }, verdict(1), { kind: 'acknowledge' }], 'ready'],
    ['an acknowledged fault', [{ kind: 'lost' }, { kind: 'acknowledge' }], 'ready'],
    ['an acknowledgement too early', [{ kind: 'image' }, { kind: 'acknowledge' }, verdict(1)], 'ready valid ok'],
    ['a stop of the service', [{ kind: 'image' }, verdict(1), { kind: 'stop' }], ''],
  ])('%s', (_what, events, bits) => {
    expect(set(run(events, ready))).toBe(bits);
  });

  it('take no trigger before the service knows that it can inspect', () => {
    expect(set(initialSignals)).toBe('fault');
    expect(set(run([{ kind: 'trigger' }, verdict(1)]))).toBe('fault');
  });

  it('fill the registers', () => {
    const good = run([{ kind: 'image' }, verdict(1)], { ...ready, inspected: 0x1ffff, notGood: 0x10001 });
    expect(registersOf(good)).toEqual([1, 1, 2318, 0, 0, 2, 0, 1, 1, 3, 41]);
    const bad = run([{ kind: 'image' }, verdict(0x20000, ng)], { ...ready, sequence: 0x1ffff });
    expect(registersOf(bad)).toEqual([0, 2, 9100, 2, 7, 0, 1, 0, 1, 3, 52]);
    expect(registersOf(run([{ kind: 'image' }], bad))).toEqual([1, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0]);
    expect(registersOf(run([{ kind: 'lost' }], bad)).slice(0, 2)).toEqual([0, 3]);
    const huge = { ...ok, score: 9, regions: 1e6, label: 1e6, modelVersion: 1e6, milliseconds: 1e6 };
    for (const register of registersOf(run([{ kind: 'image' }, verdict(1, huge)], ready)))
      expect(register).toBeLessThan(0x10000);
  });

  const events = fc.array(
    fc.oneof(
      fc.constantFrom<SignalEvent>(
        { kind: 'trigger' },
        { kind: 'image' },
        { kind: 'lost' },
        { kind: 'acknowledge' },
        { kind: 'stop' },
        { kind: 'blocked', by: 'fault' },
        { kind: 'blocked', by: 'changing' },
        open,
        open,
      ),
      fc.record({ kind: fc.constant('verdict' as const), sequence: fc.nat(2), verdict: fc.constantFrom(ok, ng) }),
      fc.record({ kind: fc.constant('failed' as const), sequence: fc.nat(2) }),
    ),
    { maxLength: 14 },
  );

  it('OK is 1 only with a good verdict of the last trigger and nothing against it', () => {
    let reached = 0;
    fc.assert(
      fc.property(events, (given) => {
        if (!bitsOf(run(given)).ok) return;
        reached++;
        const sequenceAfter = (count: number): number => run(given.slice(0, count)).sequence;
        const last = given.findLastIndex((_, index) => sequenceAfter(index) !== sequenceAfter(index + 1));
        const after = given.slice(last + 1);
        const { sequence } = run(given);
        const first = after.find(
          (event) => (event.kind === 'verdict' || event.kind === 'failed') && event.sequence === sequence,
        );
        expect(first).toMatchObject({ kind: 'verdict', verdict: { result: 'OK' } });
        expect(after.map(({ kind }) => kind)).not.toContain('lost');
        expect(after.map(({ kind }) => kind)).not.toContain('stop');
        const judgedAt = after.indexOf(first as SignalEvent);
        expect(after.slice(judgedAt).map(({ kind }) => kind)).not.toContain('acknowledge');
        expect(after.some((event) => event.kind === 'blocked' && event.by === 'fault')).toBe(false);
      }),
      { numRuns: 50_000 },
    );
    expect(reached).toBeGreaterThan(100);
  });

  it('the bits never contradict each other', () => {
    fc.assert(
      fc.property(events, (given) => {
        const bits = bitsOf(run(given));
        expect(bits.valid).toBe(bits.ok !== bits.ng);
        expect(bits.ok && bits.ng).toBe(false);
        if (bits.busy) expect(bits.valid || bits.ready).toBe(false);
        if (bits.fault) expect(bits.valid).toBe(false);
      }),
      { numRuns: 50_000 },
    );
  });
});
