/** Every error that Kensa answers with: status, and title and detail in English and Japanese. `{name}` is filled in. */
export interface ErrorEntry {
  readonly status: number;
  readonly title: { readonly en: string; readonly ja: string };
  readonly detail: { readonly en: string; readonly ja: string };
}

const entry = <const English extends string>(
  status: number,
  title: [english: string, japanese: string],
  detail: [english: English, japanese: string],
) => ({
  status,
  title: { en: title[0], ja: title[1] },
  detail: { en: detail[0] as English, ja: detail[1] },
});

export const errorCatalogue = {
  'invalid-request': entry(
    422,
    ['Invalid request', '不正なリクエスト'],
    ['The request is not valid: {reason}', 'リクエストが正しくありません: {reason}'],
  ),
  'invalid-parameters': entry(
    400,
    ['Invalid parameters', '不正なパラメータ'],
    ['The parameters are not valid: {reason}', 'パラメータが正しくありません: {reason}'],
  ),
  'malformed-body': entry(
    400,
    ['Malformed body', '本文の形式エラー'],
    ['The body cannot be read: {reason}', '本文を読み取れません: {reason}'],
  ),
  'malformed-request': entry(
    400,
    ['Malformed request', 'リクエストの形式エラー'],
    ['The request cannot be read: {reason}', 'リクエストを読み取れません: {reason}'],
  ),
  'request-timeout': entry(
    408,
    ['Request timeout', 'リクエストのタイムアウト'],
    [
      'The request did not arrive whole in time. Send it again.',
      'リクエスト全体が時間内に届きませんでした。もう一度送ってください。',
    ],
  ),
  'headers-too-large': entry(
    431,
    ['Headers too large', 'ヘッダーが大きすぎます'],
    [
      'Address and headers of the request are longer than 16 KiB. Make them shorter.',
      'リクエストの URL とヘッダーが 16 KiB を超えています。短くしてください。',
    ],
  ),
  'unsupported-media-type': entry(
    415,
    ['Unsupported content type', '未対応のコンテンツタイプ'],
    [
      'Content-Type {received} is not accepted here. Send application/json, or multipart/form-data where the operation takes files.',
      'Content-Type {received} は受け付けられません。application/json、またはファイルを送る操作では multipart/form-data を使ってください。',
    ],
  ),
  'credentials-invalid': entry(
    401,
    ['Client id and secret mismatch', 'クライアント ID とシークレットの不一致'],
    [
      'client_id and client_secret do not belong together, or the client is revoked. Check both, or make a client with "kensa client add".',
      'client_id と client_secret が一致しないか、クライアントが無効です。両方を確認するか、「kensa client add」で作成してください。',
    ],
  ),
  'token-missing': entry(
    401,
    ['Access token missing', 'アクセストークンがありません'],
    [
      'Send the header "Authorization: Bearer <ACCESS_TOKEN>" with a token from POST /api/auth/token.',
      'POST /api/auth/token で取得したトークンを「Authorization: Bearer <ACCESS_TOKEN>」ヘッダーで送ってください。',
    ],
  ),
  'token-invalid': entry(
    401,
    ['Access token invalid', 'アクセストークンが無効です'],
    [
      'The access token is expired, revoked or not one of this service. Get a new one from POST /api/auth/token.',
      'アクセストークンの期限切れ、失効、または本サービスのものではありません。POST /api/auth/token で取り直してください。',
    ],
  ),
  'signature-invalid': entry(
    403,
    ['Link expired', 'リンクの期限切れ'],
    [
      'This link is expired or not valid. Read the item again to get a new one.',
      'このリンクは期限切れか無効です。アイテムを取得し直してください。',
    ],
  ),
  'license-required': entry(
    403,
    ['License required', 'ライセンスが必要です'],
    [
      '{reason} Install a valid license with POST /api/v1/utils/.',
      '{reason} POST /api/v1/utils/ で有効なライセンスを登録してください。',
    ],
  ),
  'path-not-found': entry(
    404,
    ['Path not found', 'パスが見つかりません'],
    [
      '{method} {path} is not an operation of this service. See /docs.',
      '{method} {path} という操作はありません。/docs を参照してください。',
    ],
  ),
  'item-not-found': entry(
    404,
    ['No match for item_id!', 'item_id が見つかりません'],
    ['There is no item {ids}. Nothing was changed.', 'アイテム {ids} は存在しません。何も変更されていません。'],
  ),
  'model-not-found': entry(
    404,
    ['No match for model_id!', 'model_id が見つかりません'],
    ['There is no model {ids}. Nothing was changed.', 'モデル {ids} は存在しません。何も変更されていません。'],
  ),
  'model-not-available': entry(
    400,
    ['There is no available model', '利用できるモデルがありません'],
    [
      'Model {id} cannot predict: {reason}. Take the id of a model with status "ready".',
      'モデル {id} では推論できません: {reason}。status が "ready" のモデルを指定してください。',
    ],
  ),
  'model-not-ready': entry(
    422,
    ['Model not ready', 'モデルが準備できていません'],
    ['Model {id} is {status}; {remedy}', 'モデル {id} の状態は {status} です。{remedy}'],
  ),
  'model-state-conflict': entry(
    409,
    ['Model cannot be refined now', 'モデルを改良できる状態ではありません'],
    [
      'Model {id} is {status}; only a ready model can be refined. Wait until it is ready, or take another one.',
      'モデル {id} の状態は {status} です。改良できるのは ready のモデルだけです。完了を待つか、別のモデルを指定してください。',
    ],
  ),
  'nothing-to-teach': entry(
    422,
    ['Nothing to teach', '教える内容がありません'],
    ['The model cannot learn anything from this: {reason}', 'このリクエストから学べるものがありません: {reason}'],
  ),
  'refining-not-supported': entry(
    422,
    ['Algorithm cannot be refined', 'このアルゴリズムは改良できません'],
    [
      'A {algorithm} model cannot be taught single items. Train it again with them among its training items, or use one of: {known}.',
      '{algorithm} のモデルに個別のアイテムを教えることはできません。学習データに加えて再学習するか、次のいずれかを使ってください: {known}。',
    ],
  ),
  'algorithm-not-found': entry(
    404,
    ['No match for algorithm_id!', 'algorithm_id が見つかりません'],
    ['There is no algorithm {id}. Known: {known}.', 'アルゴリズム {id} は存在しません。利用可能: {known}。'],
  ),
  'target-not-found': entry(
    404,
    ['No match for target_id!', 'target_id が見つかりません'],
    ['There is no inspection target {id}.', '検査対象 {id} は存在しません。'],
  ),
  'file-not-found': entry(
    404,
    ['File not found', 'ファイルが見つかりません'],
    ['There is no file {name}.', 'ファイル {name} は存在しません。'],
  ),
  'target-in-use': entry(
    422,
    ['Target cannot be deleted', '検査対象を削除できません'],
    ['Target {id} cannot be deleted: {reason}', '検査対象 {id} は削除できません: {reason}'],
  ),
  'upload-too-large': entry(
    413,
    ['Upload too large', 'アップロードが大きすぎます'],
    ['{name} is too large: {reason}. Nothing was stored.', '{name} が大きすぎます: {reason}。何も保存されていません。'],
  ),
  'image-invalid': entry(
    422,
    ['Image cannot be used', '画像を使用できません'],
    [
      '{count} of {total} files cannot be used; nothing was stored. First: {reason}',
      '{total} 件中 {count} 件のファイルが使用できません。何も保存されていません。最初の理由: {reason}',
    ],
  ),
  'training-data-insufficient': entry(
    422,
    ['Not enough training data', '学習データが不足しています'],
    ['Training cannot start: {reason}', '学習を開始できません: {reason}'],
  ),
  'import-refused': entry(
    422,
    ['Import refused', 'インポートできません'],
    [
      'The file was not imported and nothing was changed: {reason}',
      'ファイルはインポートされず、何も変更されていません: {reason}',
    ],
  ),
  'license-invalid': entry(
    422,
    ['Invalid license!', '無効なライセンス'],
    ['The license was not accepted: {reason}', 'ライセンスは受け付けられませんでした: {reason}'],
  ),
  'server-busy': entry(
    425,
    ['Server busy', 'サーバーが混み合っています'],
    [
      '{waiting} items wait for prediction and {count} more were sent; the limit is {limit}. Try again in {seconds} s, {limit} at a time at most; nothing was queued.',
      '{waiting} 件が推論待ちで、さらに {count} 件が送信されました (上限 {limit})。{seconds} 秒後に、一度に {limit} 件以内でやり直してください。何も登録されていません。',
    ],
  ),
  'too-many-items': entry(
    413,
    ['Too many items at once', '一度に送信できる件数を超えています'],
    [
      '{count} items were sent, and at most {limit} may wait for prediction at a time. Send them in portions of at most {limit}; nothing was queued.',
      '{count} 件が送信されましたが、推論待ちにできるのは最大 {limit} 件です。{limit} 件以内に分けて送信してください。何も登録されていません。',
    ],
  ),
  'rate-limited': entry(
    429,
    ['Too many requests', 'リクエストが多すぎます'],
    [
      'Too many attempts from this address. Try again in {seconds} s.',
      'このアドレスからの試行が多すぎます。{seconds} 秒後にやり直してください。',
    ],
  ),
  overloaded: entry(
    503,
    ['Server overloaded', 'サーバー過負荷'],
    [
      'The server cannot take the request just now. Try again in a few seconds.',
      '現在リクエストを処理できません。数秒後にやり直してください。',
    ],
  ),
  'compute-failed': entry(500, ['Computation failed', '計算に失敗しました'], ['{reason}', '{reason}']),
  'storage-damaged': entry(
    500,
    ['Stored data damaged', '保存データの破損'],
    [
      '{reason} Restore it from a backup; "kensa doctor" lists what is damaged.',
      '{reason} バックアップから復元してください。「kensa doctor」で破損箇所を確認できます。',
    ],
  ),
  'storage-unavailable': entry(
    503,
    ['Storage out of reach', '保存先に接続できません'],
    [
      '{reason} Nothing was stored by this request; send it again once the storage is back.',
      '{reason} このリクエストでは何も保存されていません。保存先の復旧後に再送してください。',
    ],
  ),
  'storage-full': entry(
    507,
    ['No room to store', '保存領域の不足'],
    [
      'Nothing was stored by this request: {reason} Make room, or delete items; the service goes on by itself.',
      'このリクエストでは何も保存されていません: {reason} 空き容量を確保するか、アイテムを削除してください。サービスは自動的に復旧します。',
    ],
  ),
  internal: entry(
    500,
    ['Internal error', '内部エラー'],
    [
      'Something went wrong inside Kensa. The log has the details under request {request}.',
      '内部エラーが発生しました。詳細はログのリクエスト {request} を参照してください。',
    ],
  ),
} satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof errorCatalogue;

/** The English text of an error, whose slots name its values. */
export type ErrorDetail<Code extends ErrorCode> = (typeof errorCatalogue)[Code]['detail']['en'];
