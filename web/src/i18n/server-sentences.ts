/** Japanese for the sentences that trainings are described with. What is missing here is shown in English. */
const sentences: readonly (readonly [RegExp, string])[] = [
  [/^Waiting for its turn\.$/, '順番待ちです。'],
  [/^Starting\.$/, '開始しています。'],
  [/^Cancelled on request\.$/, '中止されました。'],
  [/^Ready\.$/, '完了しました。'],
  [
    /^Imported; its scores are those of the machine that it comes from\.$/,
    'インポート済み。スコアは元のマシンのものです。',
  ],
  [
    /^(\d+) good images? supports? a false alarm rate of ([\d.]+) % at best; add (\d+) to vouch for ([\d.]+) %\.$/,
    '良品画像 $1 枚で保証できる過検出率は最良で $2 % です。$4 % を保証するにはあと $3 枚必要です。',
  ],
  [/^looking at the images$/, '画像を確認しています'],
  [/^extracting features (\d+)\/(\d+)$/, '特徴を抽出しています $1/$2'],
  [/^looking for odd images$/, '特異な画像を探しています'],
  [/^learning what good looks like$/, '良品の見た目を学習しています'],
  [/^(?:scoring|judging) images that the model has not seen$/, '未学習の画像で評価しています'],
  [/^looking at (?:the )?defects$/, '欠陥を確認しています'],
  [/^looking at defects (\d+)\/(\d+)$/, '欠陥を確認しています $1/$2'],
  [/^learning the classes$/, '欠陥の種類を学習しています'],
  [/^done$/, '完了'],
];

function toJapanese(sentence: string): string {
  for (const [pattern, japanese] of sentences) if (pattern.test(sentence)) return sentence.replace(pattern, japanese);
  return sentence;
}

/** A model's `status_text`: sentences, or what a training does and how far it is. */
export function japaneseStatus(text: string): string {
  const progress = /^(.*), (\d+ %)$/.exec(text);
  if (progress) return `${toJapanese(progress[1] ?? '')}、${progress[2]}`;
  return text
    .split(/(?<=\.) (?=[A-Z0-9])/)
    .map(toJapanese)
    .join('');
}
