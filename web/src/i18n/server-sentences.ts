/** Japanese for the sentences that trainings and inspections are described with. What is missing here is shown in English. */
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
  [
    /^image_size (\d+) with channels (\d+) would make a model of (\d+) MB, more than the (\d+) MB that it may have\.$/,
    'image_size $1 と channels $2 ではモデルが $3 MB になり、上限の $4 MB を超えます。',
  ],
  [
    /^Set channels to (\d+) or less, or image_size to (\d+) or less\.$/,
    'channels を $1 以下、または image_size を $2 以下にしてください。',
  ],
  [/^Its network is (.*)\.$/, 'ネットワークは $1 です。'],
  [/^Not learned from, as unlike all others: (.*)\.$/, '他と大きく異なるため学習から除外: $1。'],
  [
    /^Please look whether these are good, they differ most: (.*)\.$/,
    '差が最も大きい画像です。良品かどうか確認してください: $1。',
  ],
  [/^Left out, as they are the same files as other good images: (.*)\.$/, '他の良品画像と同じファイルのため除外: $1。'],
  [
    /^The same file with two verdicts, please correct one: (.*)\.$/,
    '同じファイルに 2 つの判定があります。どちらかを訂正してください: $1。',
  ],
  [
    /^Preprocessing failed on (\d+) of (\d+) images, as on (.*): align: the product was not found in this image \(match (\d+) %\), so the image was left where it is\.$/,
    '画像 $2 枚のうち $1 枚で位置合わせに失敗しました ($3 など、一致度 $4 %)。',
  ],
  [
    /^(.*: )?align: the product was not found in this image \(match (\d+) %\), so the image was left where it is\.$/,
    '$1位置合わせ: 製品が見つからなかったため (一致度 $2 %)、画像を動かさずに検査しました。',
  ],
  [/^looking at the images$/, '画像を確認しています'],
  [/^extracting features (\d+)\/(\d+)$/, '特徴を抽出しています $1/$2'],
  [/^looking for outliers$/, '外れ値を探しています'],
  [/^learning what good looks like$/, '良品の見た目を学習しています'],
  [/^(?:scoring|judging) images that the model has not seen$/, '未学習の画像で評価しています'],
  [/^looking at (?:the )?defects$/, '欠陥を確認しています'],
  [/^looking at defects (\d+)\/(\d+)$/, '欠陥を確認しています $1/$2'],
  [/^learning the classes$/, '欠陥の種類を学習しています'],
  [/^looking at "(.*)"$/, '「$1」を確認しています'],
  [/^checking known images (\d+)\/(\d+)$/, '既知の画像を確認しています $1/$2'],
  [/^trying the refined model on what it was taught$/, '教えた内容で新しいモデルを確認しています'],
  [
    /^Taught (\d+) missed defects?; (.+) known images keep their verdicts\.$/,
    '見逃し $1 件を学習。既知の画像 $2 枚の判定は変わりません。',
  ],
  [
    /^Taught (\d+) false alarms?; (.+) known images keep their verdicts\.$/,
    '過検出 $1 件を学習。既知の画像 $2 枚の判定は変わりません。',
  ],
  [
    /^Taught (\d+) missed defects? and (\d+) false alarms?; (.+) known images keep their verdicts\.$/,
    '見逃し $1 件と過検出 $2 件を学習。既知の画像 $3 枚の判定は変わりません。',
  ],
  [/^Judged rightly already: (.+)\.$/, 'すでに正しく判定: $1。'],
  [
    /^There is nothing to learn: the model judges all of these items as you do\.$/,
    '学ぶことがありません。モデルの判定はすべてあなたと一致しています。',
  ],
  [
    /^Then "(.*)", a good item that passes now, would be called NG\./,
    '現在 OK の良品「$1」が NG になってしまうため、変更しませんでした。',
  ],
  [
    /^Then "(.*)", a defect that is found now, would pass\./,
    '現在検出できている欠陥「$1」を見逃してしまうため、変更しませんでした。',
  ],
  [
    /^"(.*)" is NG, but where it was missed it looks the same as "(.*)", which is good: no model can tell them apart\.$/,
    'NG の「$1」の見逃した箇所は、良品「$2」と見分けがつきません。',
  ],
  [
    /^"(.*)" is good, but where the alarm is it looks the same as a defect of "(.*)": no model can tell them apart\.$/,
    '良品「$1」の過検出の箇所は、「$2」の欠陥と見分けがつきません。',
  ],
  [
    /^Correct one of the two verdicts, or draw the rectangle of the defect\.$/,
    'どちらかの判定を訂正するか、欠陥を矩形で囲んでください。',
  ],
  [
    /^Correct one of the two verdicts, or leave this item out\.$/,
    'どちらかの判定を訂正するか、このアイテムを外してください。',
  ],
  [
    /^The defect of "(.*)" lies where nothing is inspected: make ignore_outer or the ignored areas smaller\.$/,
    '「$1」の欠陥は検査対象外の場所にあります。ignore_outer か除外領域を小さくしてください。',
  ],
  [
    /^The defect of "(.*)" is found, but it is smaller than min_detected_area\.$/,
    '「$1」の欠陥は検出されますが、min_detected_area より小さいです。',
  ],
  [/^Lower that first\.$/, '先に値を下げてください。'],
  [
    /^The model's threshold is ([\d.]+), and below 0\.5 it finds known classes only: a missed defect cannot be taught\.$/,
    'しきい値 $1 では既知の種類の欠陥しか検出されないため、見逃しを教えられません。',
  ],
  [/^Set it to 0\.5 or higher first\.$/, '先に 0.5 以上にしてください。'],
  [/^done$/, '完了'],
  [/^looking at "(.*)"$/, '「$1」を確認しています'],
  [/^checking known images (\d+)\/(\d+)$/, '既知の画像を確認しています $1/$2'],
  [/^trying the refined model on what it was taught$/, '教えた内容を確認しています'],
  [/^Taught (\d+) missed defects? and (\d+) false alarms?; /, '見逃し $1 件と過検出 $2 件を学習。'],
  [/^Taught (\d+) missed defects?; /, '見逃し $1 件を学習。'],
  [/^Taught (\d+) false alarms?; /, '過検出 $1 件を学習。'],
  [/^Judged rightly already: (.*)\.$/, '既に正しく判定: $1。'],
];

/** What stands between the names of a list. */
function joinedInJapanese(sentence: string): string {
  return sentence.replace(/ and (\d+) more。$/, ' ほか $1 件。').replaceAll(' (OK) and ', ' (OK) と ');
}

function toJapanese(sentence: string): string {
  const kept = /^(.*; )(\d+)(?: of (\d+))? known images keep their verdicts\.$/.exec(sentence);
  if (kept) {
    const [, taught = '', known, of] = kept;
    return `${toJapanese(taught)}既知の画像 ${known}${of === undefined ? '' : `/${of}`} 枚の判定は変わりません。`;
  }
  for (const [pattern, japanese] of sentences)
    if (pattern.test(sentence)) return joinedInJapanese(sentence.replace(pattern, japanese));
  return sentence;
}

/** A `status_text`: sentences, a line for each image, or what a training does and how far it is. */
export function japaneseStatus(text: string): string {
  const progress = /^(.*), (\d+ %)$/.exec(text);
  if (progress) return `${toJapanese(progress[1] ?? '')}、${progress[2]}`;
  return text
    .split('\n')
    .map((line) =>
      line
        .split(/(?<=\.) (?=[A-Z0-9])/)
        .map(toJapanese)
        .join(''),
    )
    .join('\n');
}
