import { describe, expect, it } from 'vitest';
import { englishWords } from '../../test/support/english-words.ts';
import { engineTexts } from '../vision/engine-messages.ts';
import type { Message } from '../vision/message.ts';
import { describeRefinement } from '../vision/refining/refine-model.ts';
import japaneseTexts from './japanese-texts.json' with { type: 'json' };
import { catalogues, type Language, readMessages, render, say, statusView, storeMessages } from './message.ts';
import { serverTexts } from './server-texts.ts';

/** Names of the values that a text shows. */
const slotsOf = (text: string): string[] =>
  [...new Set(Array.from(text.matchAll(/\{(\w+)\}/g), ([, name]) => name ?? ''))].sort();

/** Values for all slots that any text has; those of sentences are messages themselves. */
const valuesOf = (text: string): Message['values'] =>
  Object.fromEntries(
    slotsOf(text).map((name) => [name, ['reason', 'problem', 'remedy'].includes(name) ? say('item.missing') : 7]),
  );

const everyText: Record<string, string> = { ...catalogues.en.texts };

describe.each(Object.entries(everyText))('the message %s', (code, english) => {
  it.each(['en', 'ja'] satisfies Language[])('has all its words in %s', (language) => {
    const text = catalogues[language].texts[code] ?? '';
    expect(text).not.toBe('');
    // The words of a library are English. The log and the values of the message have them.
    expect(slotsOf(text)).toEqual(slotsOf(english).filter((slot) => language === 'en' || slot !== 'details'));
    const rendered = render({ code, values: valuesOf(english) }, language);
    expect(rendered).not.toMatch(/[{}]|undefined|\[object/);
    if (language === 'ja') expect(englishWords(rendered)).toEqual([]);
  });
});

it('has no text for a code that is gone, and no code twice', () => {
  expect(Object.keys(japaneseTexts).sort()).toEqual([...Object.keys(engineTexts), ...Object.keys(serverTexts)].sort());
  const codes = [...Object.keys(engineTexts), ...Object.keys(serverTexts)];
  expect(new Set(codes).size).toBe(codes.length);
});

it('lists names, puts sentences after one another, and knows one from many', () => {
  const copies = say('remark.copies', { names: ['a', 'b', say('list.more', { count: 3 })] });
  expect(render(copies, 'en')).toBe('Copies of other good images, not learned from: a, b, and 3 more.');
  expect(render(copies, 'ja')).toBe('他の良品画像と同じファイルのため除外: a、b、ほか 3\u00a0件。');
  const few = (images: number) => say('remark.few-images', { images, best: 33, missing: 98, rate: 1.0000000000000002 });
  expect(render(few(1), 'en')).toContain(
    'With 1 good item, false alarms can be held to 33\u00a0% at best; add 98 more to hold them to 1\u00a0%',
  );
  expect(render(few(2), 'en')).toContain('With 2 good items,');
  const reason = [say('status.ready'), say('status.starting')];
  expect(render(say('import.model', { name: 'm', reason }), 'en')).toBe('model "m": Ready. Starting.');
  expect(render(say('import.model', { name: 'm', reason }), 'ja')).toBe('モデル「m」: 完了しました。開始しています。');
});

it('puts remarks on several images of an item on lines of their own', () => {
  const remark = say('align.not-found', { match: 12 });
  const stored = storeMessages(['top', 'side'].map((name) => say('status.of-image', { name, remark })));
  const text = 'align: the product was not found in this image (match 12\u00a0%), so the image was left where it is.';
  expect(statusView(stored).status_text).toBe(`top: ${text}\nside: ${text}`);
});

it('reads back what was stored, and shows the plain text of an earlier version as it is', () => {
  const messages = [say('status.ready'), say('status.network', { network: 'kensa' })];
  expect(readMessages(storeMessages(messages))).toEqual(messages);
  expect(readMessages('Ready. Its network is kensa.').map((message) => render(message, 'ja'))).toEqual([
    'Ready. Its network is kensa.',
  ]);
  expect(readMessages(null)).toEqual([]);
  expect(render({ code: 'of.a-newer-release', values: { count: 2 } }, 'ja')).toBe('of.a-newer-release {"count":2}');
});

it('says what happened to the known images that a refinement did not check', () => {
  const found = { missedItems: ['one'], clearedItems: [], alreadyRight: [] };
  const remarks = describeRefinement(found, 49, 198);
  expect(remarks.map((remark) => render(remark, 'en'))).toEqual([
    'Corrected 1 missed defect; no new error on 49 known images.',
    '149 more known images were not checked, to keep the refinement short.',
  ]);
  expect(remarks.map((remark) => render(remark, 'ja'))).toEqual([
    '見逃し 1\u00a0件を訂正。既知の画像 49\u00a0枚に新しい誤判定はありません。',
    '時間を抑えるため、残りの既知の画像 149\u00a0枚は確認していません。',
  ]);
  expect(describeRefinement(found, 198, 198)).toHaveLength(1);
});

it('keeps figures and their units on one line', () => {
  const apart = /[}\d] (%|件|枚|秒|個|回|日|文字|ピクセル|バイト|[KM]i?B\b)/;
  for (const [language, { texts }] of Object.entries(catalogues)) {
    const broken = Object.entries(texts).filter(([, text]) => apart.test(text));
    expect(broken, language).toEqual([]);
  }
});
