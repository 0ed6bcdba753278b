import { expect, it } from 'vitest';
import { smallSampleRemark } from '../../../src/vision/training/conformal-threshold.ts';
import { oddImagesRemarks } from '../../../src/vision/training/odd-images-remarks.ts';
import { withoutCopies } from '../../../src/vision/training/without-copies.ts';
import type { TrainingSample } from '../../../src/vision/types.ts';
import { japaneseStatus } from './server-sentences.ts';

it('translates what a training says of itself', () => {
  const remark = smallSampleRemark(40, 0.01) ?? '';
  expect(japaneseStatus(`Ready. ${remark}`)).toBe(
    '完了しました。良品画像 40 枚で保証できる過検出率は最良で 2 % です。1 % を保証するにはあと 60 枚必要です。',
  );
  expect(japaneseStatus(smallSampleRemark(1, 0.05) ?? '')).toMatch(/^良品画像 1 枚で/);
});

it('translates progress, and keeps the percentage', () => {
  expect(japaneseStatus('extracting features 3/40, 12 %')).toBe('特徴を抽出しています 3/40、12 %');
  expect(japaneseStatus('learning the classes, 90 %')).toBe('欠陥の種類を学習しています、90 %');
});

it('translates what a model was taught', () => {
  const taught = 'Ready. Taught 1 missed defect and 2 false alarms; 5 of 8 known images keep their verdicts.';
  expect(japaneseStatus(taught)).toBe(
    '完了しました。見逃し 1 件と過検出 2 件を学習。既知の画像 5/8 枚の判定は変わりません。',
  );
  expect(
    japaneseStatus('Taught 1 false alarm; 8 known images keep their verdicts. Judged rightly already: a, b.'),
  ).toBe('過検出 1 件を学習。既知の画像 8 枚の判定は変わりません。すでに正しく判定: a, b。');
});

it('translates why a model cannot be taught', () => {
  for (const english of [
    '"a" is NG, but where it was missed it looks the same as "b", which is good: no model can tell them apart. Correct one of the two verdicts, or draw the rectangle of the defect.',
    '"a" is good, but where the alarm is it looks the same as a defect of "b": no model can tell them apart. Correct one of the two verdicts, or leave this item out.',
    'The defect of "a" lies where nothing is inspected: make ignore_outer or the ignored areas smaller.',
    'The defect of "a" is found, but it is smaller than min_detected_area. Lower that first.',
    "The model's threshold is 0.4, and below 0.5 it finds known classes only: a missed defect cannot be taught. Set it to 0.5 or higher first.",
  ])
    expect(japaneseStatus(english)).toMatch(/^(?!.*(model|Correct|Lower|Set it)).*。$/);
});

it('leaves what it does not know as it is', () => {
  expect(japaneseStatus('The disk is full.')).toBe('The disk is full.');
  expect(japaneseStatus('Ready. Something new.')).toBe('完了しました。Something new.');
});

it('translates what preprocessing could not do, line by line', () => {
  const remark = 'align: the product was not found in this image (match 12 %), so the image was left where it is.';
  const japanese = '位置合わせ: 製品が見つからなかったため (一致度 12 %)、画像を動かさずに検査しました。';
  expect(japaneseStatus(remark)).toBe(japanese);
  expect(japaneseStatus(`top 1.png: ${remark}\nside.png: ${remark}`)).toBe(
    `top 1.png: ${japanese}\nside.png: ${japanese}`,
  );
  expect(japaneseStatus(`Ready. Preprocessing failed on 2 of 9 images, as on a: ${remark}`)).toBe(
    '完了しました。画像 9 枚のうち 2 枚で位置合わせに失敗しました (a など、一致度 12 %)。',
  );
});

it('leaves no English in what a training remarks on its images', () => {
  const sample = (name: string, good: boolean): TrainingSample => ({
    ...{ itemId: name, name, good, regions: [], content: 'one file' },
    load: () => Promise.reject(new Error('not needed')),
  });
  const copies = withoutCopies([sample('a', true), sample('b', true), sample('c', false)]).remarks;
  const remarks = ['Its network is kensa-int8.', ...oddImagesRemarks(Array(12).fill('d'), ['e']), ...copies];
  expect(remarks).toHaveLength(5);
  for (const remark of remarks) expect(japaneseStatus(remark), remark).not.toMatch(/[a-z]{3} /);
  expect(japaneseStatus(remarks.join(' '))).toBe(remarks.map(japaneseStatus).join(''));
});
