import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { setTimeout as pause } from 'node:timers/promises';
import { AwsClient } from 'aws4fetch';
import type { Config } from '../../config.ts';
import { AppError } from '../../errors.ts';
import { say } from '../../messages/message.ts';
import type { BlobHash, BlobStore, StoredBlob } from './blob-store.ts';

type S3Location = ReturnType<typeof parseS3Url>;

/**
 * Reads `s3+http://KEY:SECRET@HOST:PORT/BUCKET/PREFIX?region=…` (`s3+https://` likewise), or `s3://BUCKET/PREFIX?region=…`
 * for Amazon's own. A key in the URL wins over those of the settings.
 * @throws Error in words, which never hold the secret.
 */
export function parseS3Url(text: string, settings: Partial<Config> = {}) {
  const url = new URL(text);
  const region = url.searchParams.get('region') ?? 'us-east-1';
  const path = decodeURIComponent(url.pathname)
    .split('/')
    .filter((part) => part !== '');
  const amazon = url.protocol === 's3:';
  const bucket = amazon ? url.host : path.shift();
  if (!bucket) throw new Error('BLOB_URL names no bucket. Write it as s3+https://HOST/BUCKET?region=REGION.');
  const accessKeyId = decodeURIComponent(url.username) || settings.AWS_ACCESS_KEY_ID;
  const secretAccessKey = decodeURIComponent(url.password) || settings.AWS_SECRET_ACCESS_KEY;
  if (!accessKeyId || !secretAccessKey) {
    throw new Error(
      'BLOB_URL has no key and secret. Put them in it, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
    );
  }
  const server = amazon ? `https://s3.${region}.amazonaws.com` : `${url.protocol.slice('s3+'.length)}//${url.host}`;
  return {
    /** With scheme and bucket, without a slash at the end. */
    bucketUrl: `${server}/${bucket}`,
    /** Put before each name; empty, or with a slash at its end. */
    prefix: path.map((part) => `${part}/`).join(''),
    region,
    accessKeyId,
    secretAccessKey,
    ...(settings.AWS_SESSION_TOKEN && !url.password ? { sessionToken: settings.AWS_SESSION_TOKEN } : {}),
  };
}

/** Objects `prefix/ab/abcdef…` in a bucket. An object appears whole or not at all. */
export function createS3BlobStore(location: S3Location): BlobStore {
  const request = createS3Client(location);
  const keyOf = (hash: BlobHash): string => `${location.prefix}${hash.slice(0, 2)}/${hash}`;

  const fetchBlob = async (hash: BlobHash): Promise<Response> => {
    const response = await request({ method: 'GET', key: keyOf(hash) });
    if (response.ok) return response;
    await response.body?.cancel();
    throw new AppError('storage-damaged', { reason: say('storage.missing', { hash }) });
  };

  return {
    async put(bytes) {
      const hash = createHash('sha256').update(bytes).digest('hex');
      // Written again where it is there already: that makes it young again to the sweeper, which spares young ones.
      const response = await request({
        method: 'PUT',
        key: keyOf(hash),
        body: bytes,
        headers: { 'x-amz-content-sha256': hash, 'content-type': 'application/octet-stream' },
      });
      await response.body?.cancel();
      if (response.ok) return hash;
      const reason = say('storage.no-bucket', { bucket: location.bucketUrl });
      throw new AppError('storage-unavailable', { reason });
    },
    async get(hash) {
      const bytes = Buffer.from(await (await fetchBlob(hash)).arrayBuffer());
      if (createHash('sha256').update(bytes).digest('hex') === hash) return bytes;
      throw new AppError('storage-damaged', { reason: say('storage.changed', { hash }) });
    },
    has: async (hash) => (await request({ method: 'HEAD', key: keyOf(hash) })).ok,
    async delete(hash) {
      await (await request({ method: 'DELETE', key: keyOf(hash) })).body?.cancel();
    },
    async deleteUntouched(hash, since) {
      const { ok, headers } = await request({ method: 'HEAD', key: keyOf(hash) });
      if (ok && Date.parse(headers.get('last-modified') ?? '') < since) await this.delete(hash);
    },
    async *list() {
      let token: string | undefined;
      do {
        const query = { 'list-type': '2', prefix: location.prefix, ...(token ? { 'continuation-token': token } : {}) };
        const text = await (await request({ method: 'GET', key: '', query })).text();
        yield* readListing(text);
        token = readTag(text, 'NextContinuationToken');
      } while (token !== undefined);
    },
    async openRead(hash) {
      const { body } = await fetchBlob(hash);
      return body ? Readable.fromWeb(body as ReadableStream<Uint8Array>) : Readable.from([]);
    },
  };
}

/** Names that are not hashes belong to someone else and are left alone. */
function readListing(xml: string): StoredBlob[] {
  return xml
    .split('<Contents>')
    .slice(1)
    .flatMap((entry) => {
      const hash = /\/?([0-9a-f]{64})$/.exec(readTag(entry, 'Key') ?? '')?.[1];
      if (hash === undefined) return [];
      return [
        { hash, modifiedAt: Date.parse(readTag(entry, 'LastModified') ?? ''), size: Number(readTag(entry, 'Size')) },
      ];
    });
}

function readTag(xml: string, tag: string): string | undefined {
  const value = new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(xml)?.[1];
  return value?.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  /** Name in the bucket; empty: the bucket itself. */
  readonly key: string;
  readonly query?: Record<string, string>;
  readonly body?: Uint8Array;
  readonly headers?: Record<string, string>;
}

const timeoutMs = 120_000;
const pausesMs = [100, 400, 1600, 3200];

/** Sends signed requests. Answers 2xx and 404; @throws AppError `storage-unavailable` for all else, after some tries. */
function createS3Client({ bucketUrl, prefix: _, ...identity }: S3Location) {
  // Tries again here rather than there, where a broken connection is not tried again.
  const aws = new AwsClient({ ...identity, service: 's3', retries: 0 });

  return async ({ method, key, query, body, headers }: S3Request): Promise<Response> => {
    const url = `${bucketUrl}/${key}${query ? `?${new URLSearchParams(query)}` : ''}`;
    const content = { ...(headers ? { headers } : {}), ...(body ? { body: new Uint8Array(body) } : {}) };
    for (let tries = 0; ; tries++) {
      let failure: Error;
      let wait = pausesMs[tries];
      try {
        const signed = await aws.sign(url, { method, ...content });
        const response = await fetch(signed, { redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });
        if (response.ok || response.status === 404) return response;
        failure = new Error(`it answered ${response.status} ${await readRefusal(response)}`);
        if (response.status < 500 && response.status !== 429) wait = undefined;
      } catch (error) {
        failure = error as Error;
      }
      if (wait === undefined) throw unavailable(failure, new URL(bucketUrl).host);
      await pause(wait);
    }
  };
}

/** The server's own words: `SignatureDoesNotMatch: …`. */
async function readRefusal(response: Response): Promise<string> {
  const text = await response.text().catch(() => '');
  const words = ['Code', 'Message'].map((tag) => readTag(text, tag)?.slice(0, 200));
  return words.filter(Boolean).join(': ');
}

function unavailable(error: Error, host: string): AppError {
  const details = error.cause instanceof Error ? `${error.message}, ${error.cause.message}` : error.message;
  return new AppError(
    'storage-unavailable',
    { reason: say('storage.object-store', { host, details }) },
    { cause: error, retryAfterSeconds: 5 },
  );
}
