import { setTimeout as pause } from 'node:timers/promises';
import { AwsClient } from 'aws4fetch';
import { AppError } from '../../errors.ts';
import type { S3Location } from './s3-location.ts';

export interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  /** Name in the bucket; empty: the bucket itself. */
  readonly key: string;
  readonly query?: Record<string, string>;
  readonly body?: Uint8Array;
  readonly headers?: Record<string, string>;
}

/** Signed requests. Answers 2xx and 404; @throws AppError `storage-unavailable` for all else, after some tries. */
export type S3Client = (request: S3Request) => Promise<Response>;

const timeoutMs = 120_000;
const pausesMs = [100, 400, 1600, 3200];

export function createS3Client(location: S3Location): S3Client {
  const { bucketUrl, prefix: _, ...identity } = location;
  // Tries again here rather than there, where a broken connection is not tried again.
  const aws = new AwsClient({ ...identity, service: 's3', retries: 0 });

  const attempt = async ({ method, key, query, body, headers }: S3Request): Promise<Response> => {
    const url = `${bucketUrl}/${key}${query ? `?${new URLSearchParams(query)}` : ''}`;
    const signed = await aws.sign(url, {
      method,
      ...(headers ? { headers } : {}),
      ...(body ? { body: new Uint8Array(body) } : {}),
    });
    const response = await fetch(signed, { redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });
    if (response.ok || response.status === 404) return response;
    throw new S3Refusal(response.status, await readRefusal(response));
  };

  return async (request) => {
    for (let tries = 0; ; tries++) {
      try {
        return await attempt(request);
      } catch (error) {
        const wait = pausesMs[tries];
        const final = error instanceof S3Refusal && error.status < 500 && error.status !== 429;
        if (final || wait === undefined) throw unavailable(error, new URL(bucketUrl).host);
        await pause(wait);
      }
    }
  };
}

class S3Refusal extends Error {
  readonly status: number;
  constructor(status: number, words: string) {
    super(`it answered ${status} ${words}`);
    this.status = status;
  }
}

/** The server's own words: `SignatureDoesNotMatch: …`. */
async function readRefusal(response: Response): Promise<string> {
  const text = await response.text().catch(() => '');
  const read = (tag: string): string => new RegExp(`<${tag}>([^<]{0,200})</${tag}>`).exec(text)?.[1] ?? '';
  return [read('Code'), read('Message')].filter((part) => part !== '').join(': ');
}

function unavailable(error: unknown, host: string): AppError {
  const cause = (error as { cause?: { message?: string } }).cause?.message;
  const words = (error as Error).message;
  return new AppError(
    'storage-unavailable',
    { reason: `The object store at ${host}: ${cause ? `${words} (${cause})` : words}.` },
    { cause: error, retryAfterSeconds: 5 },
  );
}
