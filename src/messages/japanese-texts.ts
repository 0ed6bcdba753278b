import type { EngineCode } from '../vision/engine-messages.ts';
import type { serverTexts } from './server-texts.ts';

/** The Japanese of every message of the engine and of the service. */
export const japaneseTexts = {
  'image.empty': 'ファイルが空です。',
  'image.unknown-format':
    'JPEG、PNG、WebP、TIFF、BMP のいずれでもありません (先頭のバイト: {start})。名前ではなく内容で判定します。',
  'image.cut-off': '{format} ファイルが途中で切れています。ファイル全体を送ってください。',
  'image.undecodable': '{format} ファイルを読み取れません。保存し直してください。',
  'image.channels': '{format} ファイルのチャンネル数が {channels} です。RGB で保存してください。',
  'image.samples':
    '{format} ファイルは{kind}のため、値の範囲が不明です。1 チャンネル 8 または 16 ビットで保存してください。',
  'samples.signed': '符号付きの値',
  'samples.float': '浮動小数点の値',
  'samples.wide': ' 32 ビットの値',
  'image.too-many-bytes':
    'ファイルの大きさが {mebibytes} MiB です。画像は {most} MiB までです。小さくして保存してください。',
  'image.no-pixels': '画像の大きさが {width}×{height} ピクセルです。1 ピクセル以上必要です。',
  'image.too-many-pixels':
    '画像の大きさが {width}×{height} ピクセルです。{most} メガピクセルまでです。縮小するか切り抜いてください。',
  'bmp.unsupported': '{field} が {value} の BMP ファイルは読み取れません。PNG で保存してください。',
  'bmp.palette': 'BMP ファイルにパレットにない色があります。PNG で保存してください。',
  'bmp.cut-off':
    'BMP ファイルは {needed} バイト必要ですが、{bytes} バイトしかありません。ファイル全体を送ってください。',

  'step.unknown': '前処理ステップ「{name}」はありません。使えるステップ: {known}。',
  'step.problem': '{step}: {field} {problem}',
  'step.config-no-json':
    '{step}: config が JSON ではありません。{example} のような JSON オブジェクトを文字列で送ってください',
  'step.config': '{step}: config が {received} です。{example} のような JSON オブジェクトを文字列で送ってください',
  'step.no-reference': '{step}: 基準画像「{reference}」がありません。画像のある既存のアイテムを指定してください。',
  'align.reference-too-small':
    'align: 基準画像はこのステップで {width}×{height} ピクセルです。縦横とも {least} ピクセル以上必要です。大きい画像を選ぶか、縮小を弱めてください。',
  'align.no-structure':
    'align: 基準画像 (このステップで {width}×{height} ピクセル) に位置合わせの手がかりがありません。単色か、マスクされているか、細長すぎます。別のアイテムを選ぶか、マスクを減らしてください。',
  'align.not-found': 'align: 画像に製品が見つからなかったため (一致度 {match} %)、画像を動かさずに検査しました。',
  'align.shift':
    'align: 製品が長辺の {shift} % ずれています。設定された上限は {most} % です。画像を動かさずに検査しました。',
  'align.rotation':
    'align: 製品が {degrees}° 回転しています。設定された上限は {most}° です。画像を動かさずに検査しました。',
  'align.scale':
    'align: 製品の大きさが基準画像の {size} % です (align が補正できるのは {most} % まで)。画像を動かさずに検査しました。',
  'crop.beyond':
    'crop: {edge} + {side} が {end} % です。矩形は 100 % 以内で終わる必要があります。{side} を {most} 以下にしてください',
  'crop.nothing-left':
    'crop: {width}×{height} の画像では ({left}, {top}) から先に何も残りません。矩形を画像内に移してください。',
  'resize.no-size':
    'resize: width も height もありません。縦横比を保つには一方を、変形させるには両方を指定してください',
  'resize.too-large':
    'resize: {width}×{height} の画像が {newWidth}×{newHeight} ピクセルになります。{most} メガピクセルまでです。両方の辺を指定するか、小さくしてください。',
  'rotate.too-large':
    'rotate: {width}×{height} の画像が {newWidth}×{newHeight} ピクセルになります。{most} メガピクセルまでです。expand を無効にするか、先に縮小してください。',
  'white-balance.area':
    'white_balance: area が ({x}, {y}) から {width}×{height} % です。0 より大きく、100 % 以内で終わる必要があります',

  'field.required': '必須です。送ってください。',
  'field.unknown': 'ここでは使えません。削除するか、綴りを確認してください。',
  'field.unknown-of': 'ここでは使えません。使えるもの: {known}。',
  'field.type': '{types}でなければなりません (受信値: {received})。',
  'field.one-of': '{allowed} のいずれかでなければなりません (受信値: {received})。',
  'field.minimum': '{limit} 以上でなければなりません (受信値: {received})。',
  'field.maximum': '{limit} 以下でなければなりません (受信値: {received})。',
  'field.above': '{limit} より大きくなければなりません (受信値: {received})。',
  'field.below': '{limit} より小さくなければなりません (受信値: {received})。',
  'field.range': '{lower} から {upper} までの{types}でなければなりません (受信値: {received})。',
  'field.min-length': '{limit} 文字以上でなければなりません (受信値: {received})。',
  'field.max-length': '{limit} 文字以内でなければなりません (受信値: {received})。',
  'field.min-items': '{limit} 件以上必要です。',
  'field.max-items': '{limit} 件以内でなければなりません。',
  'field.unique': '同じ値が 2 回あります。1 回だけにしてください。',
  'field.twice': '2 回あります。1 回だけにしてください。',
  'field.time': '2026-01-31T09:00:00Z のような日時でなければなりません (受信値: {received})。',
  'field.invalid': 'この形式は受け付けられません (受信値: {received})。',
  'type.string': '文字列',
  'type.number': '数値',
  'type.integer': '整数',
  'type.boolean': ' true または false ',
  'type.object': 'オブジェクト',
  'type.array': 'リスト',
  'type.null': ' null ',
  'type.or': '{one}または{other}',

  'parameter.wrong-type': 'パラメータ {name} が {received} です。{type}が必要です。',
  'algorithm.unknown': 'このリリースにアルゴリズム「{algorithm}」はありません。',

  'model.not-a-model':
    'モデルを開けません。先頭が {magic} ではありません。インポートし直すか、新しく学習してください。',
  'model.version':
    'モデルを開けません。形式のバージョンは {found} ですが、このリリースが読めるのは {known} です。インポートし直すか、新しく学習してください。',
  'model.checksum': 'モデルを開けません。チェックサムが一致しません。インポートし直すか、新しく学習してください。',
  'model.damaged':
    'モデルを開けません。部分「{part}」がないか、破損しています。インポートし直すか、新しく学習してください。',
  'model.not-open': 'モデル {hash} はここで開かれていません。',
  'model.other-release': 'このモデルは {algorithm} バージョン {version} で作られましたが、このリリースにはありません。',
  'model.other-network':
    'このモデルは {network} という名前の別のネットワークで学習されました。元のネットワークに戻すか、再学習してください。',
  'model.other-grid':
    '特徴は {columns}×{rows} セルですが、モデルは {ownColumns}×{ownRows} セルです。再学習してください。',

  'backbone.input':
    'ネットワーク {id} の入力 {input} は {found} です。float32 [N, 3, H, W] または uint8 [N, H, W, 4] が必要です。',
  'backbone.names':
    'ネットワーク {id} の入力は {inputs}、出力は {outputs} ですが、説明ファイルには {missing} とあります。ネットワークの隣の JSON を訂正してください。',
  'backbone.no-outputs':
    'ネットワーク {id} の説明ファイルに出力がありません。ネットワークの隣の JSON を訂正してください。',
  'backbone.output': 'ネットワーク {id} の出力 {output} は {found} です。float32 [1, C, h, w] が必要です。',
  'backbone.unusable': 'ネットワーク {id} はここで動作する ONNX ネットワークではありません。',

  'verdict.threshold': 'threshold が {threshold} です。0 から 1 までにしてください。',
  'verdict.min-area': 'min_detected_area が {area} です。0 以上にしてください。',
  'verdict.nothing-inspected':
    '{width}×{height} の画像に検査する部分がありません。ignore_outer が「{ignoreOuter}」です。除外する範囲を小さくしてください。',
  'verdict.nothing-inspected-masked':
    '{width}×{height} の画像に検査する部分がありません。ignore_outer が「{ignoreOuter}」で、前処理でも一部を除外しています。除外する範囲を小さくしてください。',
  'ignore-outer.invalid':
    'ignore_outer が「{text}」です: {reason}。none、または「5%」「12px」「5% 10px」のように 1〜4 個の長さを書いてください。',
  'ignore-outer.not-a-length': '「{word}」は長さではありません',
  'ignore-outer.nothing-between-top-and-bottom': '上下の余白が画像の {percent} % になります',
  'ignore-outer.nothing-between-sides': '左右の余白が画像の {percent} % になります',
  'ignore-outer.too-wide': '{word} はどの画像よりも大きい値です',
  'ignore-outer.count': '長さが {count} 個あります',

  'training.cancelled': '中止されました。続けるには、もう一度学習を開始してください。',
  'training.image': '「{name}」: {reason}',
  'training.no-good-image': '学習できる良品画像がありません。1 枚以上、できれば 30 枚追加してください。',
  'training.only-image-too-small':
    '唯一の良品画像は、モデルが見る時点で {width}×{height} ピクセルです。しきい値を決めるには小さすぎます。良品をもう 1 件追加するか、切り抜きや縮小を弱めてください。',
  'training.nothing-inspected':
    '良品画像に検査する部分がありません。前処理がすべてを除外するか、残りが小さすぎます。マスクを小さくするか、単位を確認してください。',
  'training.nothing-to-learn':
    '良品画像から何も学習できません: {reason}。カメラ、照明、前処理ステップを確認し、別の画像を追加してください。',
  'training.image-too-small': '「{name}」は、モデルが見る時点で幅または高さが 16 ピクセル未満です',
  'training.image-too-narrow': '「{name}」は、モデルが見る時点で縦横の比が 32 倍を超えています',
  'training.image-no-contrast': '「{name}」は全面が一色です',
  'training.all-alike':
    'モデルにはすべての良品画像がまったく同じに見えるため、それ以外の画像はすべて NG になります。製品のばらつきがわかる良品画像を追加してください。',
  'training.no-ng-image': '欠陥の種類を学習できる NG 画像がありません。1 枚追加するか、patchcore を使ってください。',
  'training.no-rectangle': '学習できる欠陥の矩形がありません。いくつか描くか、patchcore を使ってください。',
  'training.no-rectangle-left':
    '前処理後の画像に欠陥の矩形が残りません。切り抜きを弱めるか、別の画像に描いてください。',
  'padim.too-large':
    'image_size {imageSize} と channels {channels} ではモデルが {megabytes} MB になり、上限の {most} MB を超えます。channels を {fewer} 以下、または image_size を {smaller} 以下にしてください。',

  'progress.images': '画像を確認しています',
  'progress.features': '特徴を抽出しています {done}/{total}',
  'progress.outliers': '外れ値の画像を探しています',
  'progress.learning': '良品の見た目を学習しています',
  'progress.scoring': '未学習の画像で評価しています',
  'progress.defects': '欠陥を確認しています',
  'progress.windows': '欠陥を確認しています {done}/{total}',
  'progress.classes': '欠陥の種類を学習しています',
  'progress.classes-counted': '欠陥の種類を学習しています {done}/{total}',
  'progress.fold': '画像の一部から学習しています {done}/{total}',
  'progress.item': '「{name}」を確認しています',
  'progress.known': '既知の画像を確認しています {done}/{total}',
  'progress.trying': '改良したモデルを訂正内容で確認しています',
  'progress.done': '完了',

  'remark.outliers': '外れ値のため学習から除外: {names}。',
  'remark.doubtful': '差が最も大きい画像です。良品かどうか確認してください: {names}。',
  'remark.copies': '他の良品画像と同じファイルのため除外: {names}。',
  'remark.contradictions': '同じファイルに 2 つの判定があります。どちらかを訂正してください: {names}。',
  'remark.contradiction': '{good} (OK) と {defect} (NG)',
  'remark.few-images':
    '良品アイテム {images} 件で保証できる過検出率は最良で {best} % です。{rate} % を保証するにはあと {missing} 件必要です。',
  'remark.preprocessing': '画像 {total} 枚のうち {failed} 枚で前処理に失敗しました。例: {name}: {reason}',
  'remark.corrected-missed': '見逃し {missed} 件を訂正。既知の画像 {kept}/{known} 枚の判定は変わりません。',
  'remark.corrected-cleared': '過検出 {cleared} 件を訂正。既知の画像 {kept}/{known} 枚の判定は変わりません。',
  'remark.corrected-both':
    '見逃し {missed} 件と過検出 {cleared} 件を訂正。既知の画像 {kept}/{known} 枚の判定は変わりません。',
  'remark.right-already': 'すでに正しく判定: {names}。',
  'list.more': 'ほか {count} 件',

  'refine.no-algorithm':
    'このリリースにアルゴリズム {algorithm} がないため、そのモデルは改良できません。アイテムを学習データに加えて、別のモデルを学習してください。',
  'refine.no-limit':
    'モデルのしきい値が {threshold} のため、すべての製品が同じ判定になります。先に 0 から 1 の間に設定してください。',
  'refine.low-limit':
    'モデルのしきい値が {threshold} です。0.5 より小さいと既知の種類の欠陥しか検出されないため、見逃しを訂正できません。先に 0.5 以上にしてください。',
  'refine.good-would-fail':
    '現在 OK の良品「{name}」が NG になってしまうため、変更しませんでした。送るアイテムを減らすか、矩形を小さく描いてください。',
  'refine.defect-would-pass':
    '現在検出できている欠陥「{name}」を見逃してしまうため、変更しませんでした。過検出がその欠陥と似ています。過検出を除いて送ってください。',
  'refine.still-ng': '「{name}」は依然として NG になります。訂正した見逃しと似ています。',
  'refine.too-small': '「{name}」の欠陥は検出されますが、min_detected_area より小さいです。先に値を下げてください。',
  'refine.still-missed': '「{name}」の欠陥は依然として見逃されます。訂正した過検出と似ています。',
  'refine.nothing': '学ぶことがありません。モデルの判定はすべてあなたと一致しています。',
  'refine.defect-like-good':
    'NG の「{name}」の見逃した箇所は、良品「{other}」と見分けがつきません。どちらかの判定を訂正するか、欠陥を矩形で囲んでください。',
  'refine.good-like-defect':
    '良品「{name}」の過検出の箇所は、「{other}」の欠陥と見分けがつきません。どちらかの判定を訂正するか、このアイテムを外してください。',
  'refine.not-inspected': '「{name}」の欠陥は検査対象外の場所にあります。ignore_outer か除外領域を小さくしてください。',

  'invalid-request.title': '不正なリクエスト',
  'invalid-request': 'リクエストが正しくありません: {reason}',
  'invalid-parameters.title': '不正なパラメータ',
  'invalid-parameters': 'パラメータが正しくありません: {reason}',
  'malformed-body.title': '本文の形式エラー',
  'malformed-body': '本文を読み取れません: {reason}',
  'malformed-request.title': 'リクエストの形式エラー',
  'malformed-request': 'リクエストを読み取れません: {reason}',
  'request-timeout.title': 'リクエストのタイムアウト',
  'request-timeout': 'リクエスト全体が時間内に届きませんでした。もう一度送ってください。',
  'headers-too-large.title': 'ヘッダーが大きすぎます',
  'headers-too-large': 'リクエストの URL とヘッダーが 16 KiB を超えています。短くしてください。',
  'unsupported-media-type.title': '未対応のコンテンツタイプ',
  'unsupported-media-type':
    'Content-Type {received} は受け付けられません。application/json、またはファイルを送る操作では multipart/form-data を使ってください。',
  'credentials-invalid.title': 'クライアント ID とシークレットの不一致',
  'credentials-invalid':
    'client_id と client_secret が一致しないか、クライアントが無効です。両方を確認するか、「kensa client add」で作成してください。',
  'token-missing.title': 'アクセストークンがありません',
  'token-missing':
    'POST /api/auth/token で取得したトークンを「Authorization: Bearer <ACCESS_TOKEN>」ヘッダーで送ってください。',
  'token-invalid.title': 'アクセストークンが無効です',
  'token-invalid':
    'アクセストークンの期限切れ、失効、または本サービスのものではありません。POST /api/auth/token で取り直してください。',
  'signature-invalid.title': 'リンクの期限切れ',
  'signature-invalid': 'このリンクは期限切れか無効です。アイテムを取得し直してください。',
  'license-required.title': 'ライセンスが必要です',
  'license-required': '{reason} POST /api/v1/utils/ で有効なライセンスを登録してください。',
  'path-not-found.title': 'パスが見つかりません',
  'path-not-found': '{method} {path} という操作はありません。/docs を参照してください。',
  'item-not-found.title': 'item_id が見つかりません',
  'item-not-found': 'アイテム {ids} は存在しません。何も変更されていません。',
  'model-not-found.title': 'model_id が見つかりません',
  'model-not-found': 'モデル {ids} は存在しません。何も変更されていません。',
  'model-not-available.title': '利用できるモデルがありません',
  'model-not-available': 'モデル {id} では推論できません: {reason}status が "ready" のモデルを指定してください。',
  'model-not-ready.title': 'モデルが準備できていません',
  'model-not-ready': 'モデル {id} の状態は {status} です。{remedy}',
  'model-state-conflict.title': 'モデルを改良できる状態ではありません',
  'model-state-conflict':
    'モデル {id} の状態は {status} です。改良できるのは ready のモデルだけです。完了を待つか、別のモデルを指定してください。',
  'nothing-to-teach.title': '教える内容がありません',
  'nothing-to-teach': 'このリクエストから学べるものがありません: {reason}',
  'refining-not-supported.title': 'このアルゴリズムは改良できません',
  'refining-not-supported':
    '{algorithm} のモデルは改良できません。アイテムを学習データに加えて再学習するか、次のいずれかを使ってください: {known}。',
  'algorithm-not-found.title': 'algorithm_id が見つかりません',
  'algorithm-not-found': 'アルゴリズム {id} は存在しません。利用可能: {known}。',
  'target-not-found.title': 'target_id が見つかりません',
  'target-not-found': '検査対象 {id} は存在しません。',
  'file-not-found.title': 'ファイルが見つかりません',
  'file-not-found': 'ファイル {name} は存在しません。',
  'target-in-use.title': '検査対象を削除できません',
  'target-in-use': '検査対象 {id} は削除できません: {reason}',
  'upload-too-large.title': 'アップロードが大きすぎます',
  'upload-too-large': '{name} が大きすぎます: {reason}。何も保存されていません。',
  'image-invalid.title': '画像を使用できません',
  'image-invalid': '{total} 件中 {count} 件のファイルが使用できません。何も保存されていません。最初の理由: {reason}',
  'training-data-insufficient.title': '学習データが不足しています',
  'training-data-insufficient': '学習を開始できません: {reason}',
  'import-refused.title': 'インポートできません',
  'import-refused': 'ファイルはインポートされず、何も変更されていません: {reason}',
  'license-invalid.title': '無効なライセンス',
  'license-invalid': 'ライセンスは受け付けられませんでした: {reason}',
  'server-busy.title': 'サーバーが混み合っています',
  'server-busy':
    '{waiting} 件が推論待ちで、さらに {count} 件が送信されました (上限 {limit})。{seconds} 秒後に、一度に {limit} 件以内でやり直してください。何も登録されていません。',
  'too-many-items.title': '一度に送信できる件数を超えています',
  'too-many-items':
    '{count} 件が送信されましたが、推論待ちにできるのは最大 {limit} 件です。{limit} 件以内に分けて送信してください。何も登録されていません。',
  'rate-limited.title': 'リクエストが多すぎます',
  'rate-limited': 'このアドレスからの試行が多すぎます。{seconds} 秒後にやり直してください。',
  'overloaded.title': 'サーバー過負荷',
  overloaded: '現在リクエストを処理できません。数秒後にやり直してください。',
  'compute-failed.title': '計算に失敗しました',
  'compute-failed': '{reason}',
  'storage-damaged.title': '保存データの破損',
  'storage-damaged': '{reason} バックアップから復元してください。「kensa doctor」で破損箇所を確認できます。',
  'storage-unavailable.title': '保存先に接続できません',
  'storage-unavailable': '{reason} このリクエストでは何も保存されていません。保存先の復旧後に再送してください。',
  'storage-full.title': '保存領域の不足',
  'storage-full':
    'このリクエストでは何も保存されていません: {reason} 空き容量を確保するか、アイテムを削除してください。サービスは自動的に復旧します。',
  'internal.title': '内部エラー',
  internal: '内部エラーが発生しました。詳細はログのリクエスト {request} を参照してください。',

  text: '{text}',
  unforeseen: '予期しない問題が発生しました。詳細はログを参照してください。',
  'field.at': '{key}: {problem}',
  'field.zero-character': 'NUL 文字が含まれています。取り除いて送ってください。',
  'field.not-with': '{other} と同時には使えません。どちらか一方だけを送ってください。',
  'field.empty': '空です。対象を指定してください。',

  'request.cut-off': '途中で切れているか、HTTP ではありません。',
  'request.path': 'パスを解読できません。',
  'body.no-json': '正しい JSON ではありません。',
  'body.no-form': '完全な multipart フォームではありません。',
  'body.refused': 'ヘッダーが示す形式ではありません。',
  'upload.body': '本文',
  'upload.form': 'フォーム',
  'upload.split': 'リクエストを分割してください',
  'upload.parts': 'ファイルは {files} 件、その他の項目は {fields} 件までです',
  'upload.file-size': 'ファイルは {mebibytes} MiB までです',

  'item.missing': 'このアイテムは存在しません。',
  'item.none-uploaded': '画像がありません。項目「files」でファイルを 1 つ以上送ってください。',
  'item.unjudged': '{id} は良品か NG かまだ判定されていません。先に判定するか、一覧から外してください。',
  'item.not-there': '{id} は存在しません。',
  'item.twice': '{id} が 2 回あります。1 回だけにしてください。',
  'item.training-required': '必須です。学習用のアイテムは true、検査用のアイテムは false を送ってください。',
  'item.good-or-use': '「is_training_data」または「active」を送らない場合は必須です。変更する内容を送ってください。',
  'annotations.required': '「good」を送らない場合は必須です。リストを送ってください。空のリストは良品を意味します。',
  'annotations.good': '領域が送られていますが true です。どちらか一方だけを送ってください。',
  'annotations.order': '{other} より小さくなければなりません (受信値: {low} と {high})。',
  'annotations.outside': '画像 ({limit} ピクセル) の中になければなりません (受信値: {received})。',
  'label.twice': '番号 {label} が 2 回あります。1 回だけにしてください。',
  'label.name-twice': '名前「{name}」が 2 回あります。ラベルごとに別の名前を付けてください。',
  'label.reserved': '「{name}」は欠陥のない製品のラベルです。別の名前を選んでください。',

  'model.missing': 'このモデルは存在しません。',
  'model.margins-leave-nothing':
    '「{text}」では、モデルが学習した {width}×{height} ピクセルの画像に検査する部分が残りません。小さくしてください。',
  'model.none-active': '有効なモデルがありません。',
  'model.status': '状態が「{status}」です。',
  'model.deleted-before-refining': '改良する前に削除されました。',
  'model.only-ready': '有効化とエクスポートができるのは ready のモデルだけです。',
  'model.only-running-cancels': '中止できるのは、待機中か実行中の学習だけです。',

  'status.waiting': '順番待ちです。',
  'status.starting': '開始しています。',
  'status.cancelled': '中止されました。',
  'status.ready': '完了しました。',
  'status.model-deleted': '判定はありません。モデルが削除されました。別のモデルで推論してください。',
  'status.imported': 'インポート済み。スコアは元のマシンのものです。',
  'status.network': 'ネットワークは {network} です。',
  'status.progress': '{doing}、{percent} %',
  'status.of-image': '{name}: {remark}',

  'training.no-good-item':
    '学習できる良品がありません。training=true と good=true で良品の画像をアップロードするか、別のアイテムを指定してください。',
  'training.no-ng-item':
    '{algorithm} は欠陥からも学習しますが、NG のアイテムがありません。good=false でアップロードするか、領域を描くか、別のアイテムを指定してください。',
  'refining.nothing-judged':
    '学習後に、モデルと異なる判定をされたアイテムがありません。先に過検出を良品とするか、見逃した欠陥に矩形を描いてください。',

  'backbone.unknown':
    '「{name}」は登録されていません。使えるネットワーク: {known}。NAME.onnx と NAME.json を BACKBONES_DIR に置いてください。',
  'backbone.description': 'ネットワークの隣の {file} を使用できません: {reason}',
  'backbone.description-missing': 'ファイルがありません。{fields} を書いてください。',
  'target.is-default': '既定の検査対象です。先に別の検査対象を既定にしてください。',
  'target.no-reference': 'アイテム「{item}」はありません。既存のものを指定してください。',
  'target.preview-body': '「item_id」のある JSON オブジェクトか、「image」のあるフォームでなければなりません。',
  'target.preview-steps': 'ステップの JSON 配列でなければなりません。',

  'callback.no-url':
    'http://plc.local:8080/kensa のような http:// または https:// の URL でなければなりません (受信値:「{received}」)。',
  'callback.credentials': 'ユーザー名とパスワードは使えません。代わりに呼び出しの署名を検証してください。',
  'callback.not-set': '設定されていません。先に update_predict_callback で設定してください。',
  'callback.changed': 'この配信が届く前に、コールバックの URL が変更または削除されました。',
  'callback.reserved-address':
    '{address} はリンクローカル、メタデータ用または予約済みのアドレスのため、呼び出しません。',
  'callback.private-address':
    '{address} はプライベートまたはループバックのアドレスです。KENSA_CALLBACK_NETWORKS=public では呼び出せません。',
  'callback.answered': '受信側の応答は {status} でした。',
  'callback.redirected': '受信側の応答は {status} でした。リダイレクトには従いません。',
  'callback.too-slow': '受信側が {seconds} 秒以内に応答しませんでした。',
  'callback.refused': '接続が拒否されました。待ち受けているものがありません。',
  'callback.no-host': 'ホスト名を解決できません。',
  'callback.reset': '受信側が応答せずに接続を閉じました。',
  'callback.failed': '呼び出しに失敗しました。',

  'license.none': 'ライセンスが登録されていません。',
  'license.not-asked':
    '本サービスはライセンスを必要としません。先に LICENSE_PUBLIC_KEY に販売元の鍵を設定してください。',
  'license.bad-key':
    '本サービスの LICENSE_PUBLIC_KEY は Ed25519 の鍵ではありません。販売元に正しい鍵を問い合わせてください。',
  'license.expired': '期限が切れています。販売元に新しいものを問い合わせてください。',
  'license.damaged': '破損しているか、別の鍵で署名されています。ライセンスの文字列をそのまま送ってください。',
  'license.claims': 'ライセンスの内容ではありません。販売元に新しいものを問い合わせてください。',
  'license.other-machine': '別のマシン用です。このマシンのハッシュは {hash} です。',
  'license.not-covered': 'ライセンスに {feature} が含まれていません。',
  'client.unknown': '失効させるクライアント {client} は存在しません。「kensa client list」で確認してください。',

  'import.model': 'モデル「{name}」: {reason}',
  'import.other-score': '同じ画像のスコアが、ここでは {here}、エクスポート元では {there} です。',
  'import.no-zip': 'zip ファイルではありません。',
  'import.damaged': '破損しているか、安全ではありません。',
  'import.empty': 'zip ファイルが空です。',
  'import.missing': '{file} がありません。',
  'import.twice': '{file} が 2 回あります。',
  'import.too-many': 'ファイルが {limit} 件を超えています。',
  'import.encrypted': '{file} は暗号化されています。',
  'import.file-too-large': '{file} は展開すると {mebibytes} MiB を超えます。',
  'import.too-large': '展開すると {mebibytes} MiB を超えます。',
  'import.ratio': '{file} は展開すると元の {ratio} 倍を超えます。',
  'import.file-damaged': '{file} が破損しています。',
  'import.no-export': '{file} は Kensa のエクスポートのものではありません。',
  'import.no-json': '{file} は正しい JSON ではありません。',
  'import.version':
    '形式のバージョンは {found} ですが、このリリースが読めるのは {known} です。このリリースでエクスポートし直すか、作成したリリースでインポートしてください。',
  'import.invalid': '{file} が正しくありません: {problem}',
  'import.unlisted': '{file} がありますが、{manifest} に載っていません。',
  'import.needed': 'モデルに必要な {file} が {manifest} に載っていません。',
  'import.model-twice': '同じモデルが 2 回あります。',
  'import.changed': '{file} が変更されています。SHA-256 が {manifest} と一致しません。',

  'compute.failed': '計算に失敗しました。',
  'compute.no-start': '計算プロセスを開始できません。「kensa doctor」を実行してください。',
  'compute.too-long': '計算が {seconds} 秒を超えたため、停止しました。',
  'compute.died': 'この計算中に計算プロセスが 2 回異常終了しました。',
  'compute.training-died': '学習プロセスが異常終了しました。やり直してください。繰り返す場合は、ログに詳細があります。',
  'compute.training-out-of-memory':
    '学習プロセスが異常終了しました。メモリ不足と思われます。画像を減らすか小さくして学習するか、メモリを増やしてください。',

  'storage.missing': '保存データ {hash} がありません。',
  'storage.changed': '保存データ {hash} が変更されています。',
  'storage.no-bucket': 'バケット {bucket} は存在しません。作成するか、BLOB_URL を訂正してください。',
  'storage.object-store': 'オブジェクトストレージ {host} が正しく応答しません。',
  'storage.unusable': '保存先を使用できません。',
  'storage.full': 'ディスクの空き容量がありません。',
} satisfies Record<EngineCode | keyof typeof serverTexts, string>;
