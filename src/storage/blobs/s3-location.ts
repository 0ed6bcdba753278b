/** Where blobs lie on a server that speaks S3, and as whom to ask for them. */
export interface S3Location {
  /** With scheme and bucket, without a slash at the end. */
  readonly bucketUrl: string;
  /** Put before each name; empty, or with a slash at its end. */
  readonly prefix: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

export interface S3Credentials {
  readonly accessKeyId?: string | undefined;
  readonly secretAccessKey?: string | undefined;
  readonly sessionToken?: string | undefined;
}

/**
 * Reads `s3+http://KEY:SECRET@HOST:PORT/BUCKET/PREFIX?region=…` (`s3+https://` likewise), or `s3://BUCKET/PREFIX?region=…`
 * for Amazon's own. A key in the URL wins over `credentials`.
 * @throws Error in words, which never hold the secret.
 */
export function parseS3Url(text: string, credentials: S3Credentials = {}): S3Location {
  const url = new URL(text);
  const region = url.searchParams.get('region') ?? 'us-east-1';
  const path = decodeURIComponent(url.pathname)
    .split('/')
    .filter((part) => part !== '');
  const amazon = url.protocol === 's3:';
  const bucket = amazon ? url.host : path.shift();
  if (!bucket) throw new Error('BLOB_URL names no bucket. Write it as s3+https://HOST/BUCKET?region=REGION.');
  const accessKeyId = decodeURIComponent(url.username) || credentials.accessKeyId;
  const secretAccessKey = decodeURIComponent(url.password) || credentials.secretAccessKey;
  if (!accessKeyId || !secretAccessKey) {
    throw new Error(
      'BLOB_URL has no key and secret. Put them in it, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
    );
  }
  const server = amazon ? `https://s3.${region}.amazonaws.com` : `${url.protocol.slice('s3+'.length)}//${url.host}`;
  return {
    bucketUrl: `${server}/${bucket}`,
    prefix: path.map((part) => `${part}/`).join(''),
    region,
    accessKeyId,
    secretAccessKey,
    ...(credentials.sessionToken && !url.password ? { sessionToken: credentials.sessionToken } : {}),
  };
}
