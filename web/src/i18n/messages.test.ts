import { describe, expect, it } from 'vitest';
import { fillIn, type MessageKey, messages } from './messages.ts';

const entries = Object.entries(messages.en).map(([key, en]) => ({ key, en, ja: messages.ja[key as MessageKey] }));

it('the languages have the same texts', () => {
  expect(Object.keys(messages.ja)).toEqual(Object.keys(messages.en));
});

const placeholders = (text: string): string[] =>
  [...new Set([...text.matchAll(/\{(\w+)/g)].map((match) => match[1] ?? ''))].sort();

describe('the texts of the page', () => {
  it('are there in both languages', () => {
    expect(entries.filter(({ en, ja }) => en.trim() === '' || ja.trim() === '')).toEqual([]);
  });

  it('take the same values in both languages', () => {
    expect(entries.filter(({ en, ja }) => placeholders(en).join() !== placeholders(ja).join())).toEqual([]);
  });

  it('are translated: Japanese is written in Japanese, but for signs and figures', () => {
    const untranslated = entries.filter(({ en, ja }) => /[a-z]{2}/.test(en.replace(/\{[^}]*\}/g, '')) && en === ja);
    expect(untranslated.map(({ key }) => key)).toEqual([]);
  });

  it('keep figures and their units on one line', () => {
    const apart = /[}\d] (%|件|枚|秒|個|回|日|点|桁|年|領域|文字|ファイル|(ms|s|px|min|[KMG]i?B)(?![a-z]))/;
    expect(entries.filter(({ en, ja }) => apart.test(en) || apart.test(ja))).toEqual([]);
  });

  it('count in words', () => {
    expect(fillIn('{n} {n|item|items}', { n: 1 })).toBe('1 item');
    expect(fillIn('{n} {n|item|items}', { n: 12000 })).toBe('12,000 items');
    expect(fillIn('{name}: {n} 件', { name: 'A', n: 2 })).toBe('A: 2 件');
  });
});
