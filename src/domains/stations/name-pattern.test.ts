import { describe, expect, it } from 'vitest';
import { findPatternProblem, readName } from './name-pattern.ts';

describe('readName', () => {
  it.each([
    ['(?<lot>L\\d+)_(?<serial>\\d+)', 'L12_0042.png', { lot: 'L12', serial: '0042', fields: {} }],
    ['(?<lot>[^/]+)/(?<serial>\\w+)\\.', 'lot 7/S1.jpg', { lot: 'lot 7', serial: 'S1', fields: {} }],
    ['^(?<色>\\p{L}+)-(?<camera>\\d)?', '赤-.bmp', { fields: { 色: '赤' } }],
    ['(?<serial>\\d+)', 'no number', { fields: {} }],
  ])('%s in %s', (pattern, name, origin) => {
    expect(findPatternProblem(pattern)).toBeUndefined();
    expect(readName(pattern, name)).toEqual(origin);
  });

  it('keeps at most 200 characters of a group, and says nothing of a name that takes too long', () => {
    expect(readName('(?<serial>a+)', 'a'.repeat(300)).serial).toHaveLength(200);
    expect(readName('(?<serial>b)', `${'a'.repeat(499)}b`)).toEqual({ serial: 'b', fields: {} });
    expect(readName('(?<serial>b)', `${'a'.repeat(500)}b`)).toEqual({ fields: {} });
    const startedAt = performance.now();
    expect(readName('^(?<serial>(a+)+)$', `${'a'.repeat(100)}!`)).toEqual({ fields: {} });
    expect(performance.now() - startedAt).toBeLessThan(1000);
  });
});

describe('findPatternProblem', () => {
  it.each([
    ['(', 'pattern.invalid'],
    ['(?<serial>a)(?<serial>b)', 'pattern.invalid'],
    ['\\d+', 'pattern.no-groups'],
    ['(\\d+)', 'pattern.no-groups'],
    [Array.from({ length: 19 }, (_, index) => `(?<g${index}>.)`).join(''), 'pattern.groups'],
    ['^(?<serial>(a+)+)$', 'pattern.too-slow'],
    ['^(?<serial>(\\w|\\d)*)$', 'pattern.too-slow'],
    ['^(?<serial>([A-Z]+-?)*)\\d$', 'pattern.too-slow'],
  ])('refuses %s', (pattern, code) => {
    expect(findPatternProblem(pattern)?.code).toBe(code);
  });
});
