import type { ConfigSchema } from '../api/queries.ts';

/** Names and hints of parameters and steps in Japanese, by key. The server has them in English only. */
export const parameterTexts: Readonly<Record<string, readonly [name: string, help: string]>> = {
  backbone: [
    '特徴抽出ネットワーク',
    'auto は 8 ビット版、kensa は浮動小数点版を使います。サーバーに追加した独自のネットワークの名前も指定できます。',
  ],
  image_size: ['入力サイズ', '欠陥が大きく、処理時間を最短にしたい場合は 256 にします。処理時間は 2 乗で増えます。'],
  bank_size: [
    'メモリバンク',
    '記憶する良品特徴の数。0 では個体差に応じて 2,000〜16,000 個を自動で選びます。数に応じて処理時間も増えます。',
  ],
  neighbours: ['近傍数', '良品画像の一部が疑わしい場合は 3 以上にします。'],
  rotations: [
    '回転した画像を学習',
    '回転した画像からも学習します。自動では、良品画像が 200 枚以下で、回転しても似ている場合に限ります。',
  ],
  flips: [
    '反転した画像を学習',
    '反転した画像からも学習します。自動では、良品画像が 200 枚以下で、反転しても似ている場合に限ります。',
  ],
  false_alarm_rate: ['過検出率', '良品を NG と判定してよい割合。自動しきい値はこれで決まります。'],
  max_tiles: ['タイルの最大数', '大きな画像の時間とメモリ (1 タイル約 1 MB) を制限します。少ないほど粗く検査します。'],
  tiling: [
    'タイル分割',
    '自動では、大きな画像を重なりのあるタイルに分割します。小さな欠陥に強くなりますが、時間がかかります。',
  ],
  smoothing: ['平滑化', 'マップのセル単位。大きく淡い欠陥では大きく、ピンホールでは小さくします。'],
  drop_outliers: ['外れ値を除外', 'すべての学習画像が確実に良品である場合のみ無効にします。'],
  channels: ['特徴チャンネル数', '淡い欠陥を見逃す場合に増やします。モデルファイルは 2 乗で大きくなります。'],
  prior_images: ['共通ばらつきの重み', '画像枚数単位。良品の位置が毎回少しずれる場合に増やします。'],
  explained_variance: ['説明分散', '無害な差が欠陥とされる場合は上げ、淡い欠陥を見逃す場合は下げます。'],
  max_axes: ['最大軸数', '個体差の大きい製品では増やします。学習時間は 3 乗で増えます。'],
  training_steps: [
    '学習ステップ数',
    '矩形が数百個あり、クラスを取り違える場合に増やします。手早く試すには減らします。学習時間が比例して増えます。',
  ],
  seed: ['乱数シード', '同じシードと画像からは、まったく同じモデルができます。'],
};

/** Hints of parameters that mean something else in one algorithm. */
const ownHelps: Readonly<Record<string, string>> = {
  'defect-detector.bank_size':
    '記憶する良品特徴の数。未知の異常を見つけるために使います。個体差の大きい製品では増やします。',
  'defect-detector.rotations': '回転した画像からも学習します。欠陥の向きでクラスを区別する場合は「いいえ」にします。',
  'defect-detector.flips': '反転した画像からも学習します。欠陥の左右でクラスを区別する場合は「いいえ」にします。',
};

/** The Japanese help of a parameter: that of the algorithm, where it has its own. */
export const parameterHelpOf = (algorithmId: string, name: string): string | undefined =>
  ownHelps[`${algorithmId}.${name}`] ?? parameterTexts[name]?.[1];

export const stepHelps: Readonly<Record<string, string>> = {
  crop: '画像の一部の矩形だけを残します。製品が画像の一部にしか写っていない場合に使うと、小さな欠陥が大きく見えます。',
  mask: '検査しない領域です。シリアル番号、印字日付、コンベヤーなど。灰色で塗るため、その内容は判定に影響しません。',
  resize: '画像のサイズを揃えます。サイズが異なる場合や、必要以上に大きい場合に使います。',
  rotate: '一定の角度で時計回りに回転します。カメラが傾いている場合に使います。外側の角は灰色になり検査されません。',
  align:
    '基準画像の位置に合わせて製品を移動・回転します。治具で固定していない場合に使います。布などの連続材には不向きです。',
  grayscale: '色を取り除きます。良品間で色が異なる場合や、欠陥が最も見やすい色チャンネルを選ぶ場合に使います。',
  equalize: '画像各部のコントラストを均一にします (CLAHE)。照明むらがある場合や暗部に欠陥が埋もれる場合に使います。',
  denoise: '輪郭を保ったまま粒状ノイズを除きます (メディアンフィルター)。窓の半分より細い欠陥も消えます。',
  sharpen: '輪郭や細かい模様を強調します (アンシャープマスク)。ノイズも強調されます。',
  gamma: '暗部を明るく (1 より大)、または明部を暗く (1 より小) します。暗い製品や反射がある場合に使います。',
  white_balance: '照明の色かぶりを取り除きます。ランプの経年変化や外光がある場合に使います。',
};

/** Fields of steps. */
export const fieldTexts: Readonly<Record<string, readonly [en: string, ja: string]>> = {
  x: ['Left', '左端'],
  y: ['Top', '上端'],
  width: ['Width', '幅'],
  height: ['Height', '高さ'],
  unit: ['Unit', '単位'],
  ignore: ['What is ignored', '無視する範囲'],
  degrees: ['Angle', '角度'],
  expand: ['Keep what juts out', 'はみ出しを残す'],
  reference: ['Reference item', '基準検査品'],
  max_shift: ['Largest shift (%)', '最大移動量 (%)'],
  max_rotation: ['Largest turn (degrees)', '最大回転角 (度)'],
  channel: ['Channel', 'チャンネル'],
  clip_limit: ['Contrast limit', 'コントラスト上限'],
  tiles: ['Areas per side', '分割数'],
  window: ['Window', '窓の大きさ'],
  amount: ['Strength', '強さ'],
  radius: ['Edge width', '輪郭の幅'],
  gamma: ['Gamma', 'ガンマ値'],
  method: ['Method', '方式'],
  area: ['Measured area', '測定範囲'],
};

/** What the server says of a field of a step. Of a choice it names raw values, which the page shows in other words. */
export const englishHint = ({ type, enum: choices = [], description }: ConfigSchema): string | undefined =>
  type === 'boolean' || choices.some((choice) => typeof choice === 'string') ? undefined : description;

export const algorithmNames: Readonly<Record<string, readonly [en: string, ja: string]>> = {
  patchcore: ['PatchCore', 'PatchCore'],
  padim: ['PaDiM', 'PaDiM'],
  subspace: ['Subspace', '部分空間法'],
  'defect-classifier': ['Defect classifier', '欠陥分類'],
  'defect-detector': ['Defect detector', '欠陥検出'],
};

/** The value of a parameter that leaves the choice to the training. */
export const automaticValues: Readonly<Record<string, string>> = { bank_size: '0' };

/** Values to choose from. */
export const choiceTexts: Readonly<Record<string, readonly [en: string, ja: string]>> = {
  true: ['yes', 'はい'],
  false: ['no', 'いいえ'],
  auto: ['automatic', '自動'],
  on: ['always', '常に行う'],
  off: ['never', '行わない'],
  percent: ['percent', 'パーセント'],
  pixel: ['pixels', 'ピクセル'],
  inside: ['inside the polygons', '多角形の内側'],
  outside: ['outside the polygons', '多角形の外側'],
  luma: ['brightness', '輝度'],
  red: ['red', '赤'],
  green: ['green', '緑'],
  blue: ['blue', '青'],
  gray_world: ['grey on average', '平均を灰色にする'],
  white_patch: ['a white area', '白い部分を基準にする'],
};
