import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A small S3 server in memory, on loopback unless told otherwise, for tests. It checks every request's signature (AWS Signature Version 4) by
 * code that shares nothing with the client's, and the hash of every body.
 */
export interface TestS3 {
  /** Settings for a service that keeps its blobs here. */
  readonly url: string;
  readonly objects: Map<string, { bytes: Buffer; modifiedAt: Date }>;
  /** The next requests are answered with this status, or their connection is cut where it is 0. */
  failNext(count: number, status: number): void;
  readonly requests: string[];
  stop(): Promise<void>;
}

const keyId = 'TESTKEY';
const secret = 'a/secret+of=tests';
const region = 'test-region';
const pageSize = 100;
const allowedSkewMs = 900_000;

export async function startS3({ bucket = 'kensa', host = '127.0.0.1' } = {}): Promise<TestS3> {
  const objects: TestS3['objects'] = new Map();
  const requests: string[] = [];
  let failing = { count: 0, status: 0 };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    requests.push(`${request.method} ${request.url}`);
    if (failing.count > 0) {
      failing.count--;
      if (failing.status === 0) return void request.socket.destroy();
      return refuse(response, failing.status, 'SlowDown', 'asked to fail');
    }
    const body = Buffer.concat(chunks);
    const wrong = findWrong(request, body, Date.now());
    if (wrong) return refuse(response, 403, wrong, 'see the code');
    answer(request, response, body, bucket, objects);
  });
  server.listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `s3+http://${keyId}:${encodeURIComponent(secret)}@${host}:${port}/${bucket}?region=${region}`,
    objects,
    requests,
    failNext(count, status) {
      failing = { count, status };
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  body: Buffer,
  bucket: string,
  objects: TestS3['objects'],
): void {
  const url = new URL(request.url ?? '/', 'http://s3');
  const [, name, ...rest] = decodeURIComponent(url.pathname).split('/');
  if (name !== bucket) {
    refuse(response, 404, 'NoSuchBucket', 'no such bucket');
    return;
  }
  const key = rest.join('/');
  if (key === '') {
    list(url, response, objects);
    return;
  }
  const found = objects.get(key);
  switch (request.method) {
    case 'PUT':
      objects.set(key, { bytes: body, modifiedAt: new Date() });
      return void response.end();
    case 'DELETE':
      objects.delete(key);
      return void response.writeHead(204).end();
    default:
      if (!found) {
        refuse(response, 404, 'NoSuchKey', 'no such key');
        return;
      }
      response.writeHead(200, {
        'content-length': found.bytes.length,
        'last-modified': found.modifiedAt.toUTCString(),
      });
      return void response.end(request.method === 'HEAD' ? undefined : found.bytes);
  }
}

function list(url: URL, response: ServerResponse, objects: TestS3['objects']): void {
  const prefix = url.searchParams.get('prefix') ?? '';
  const after = url.searchParams.get('continuation-token') ?? '';
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
  const page = keys.slice(0, pageSize);
  const entries = page.map((key) => {
    const object = objects.get(key);
    return `<Contents><Key>${key}</Key><LastModified>${object?.modifiedAt.toISOString()}</LastModified><Size>${object?.bytes.length}</Size></Contents>`;
  });
  const next = keys.length > pageSize ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
  response.end(`<?xml version="1.0"?><ListBucketResult>${entries.join('')}${next}</ListBucketResult>`);
}

function refuse(response: ServerResponse, status: number, code: string, message: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' });
  response.end(`<Error><Code>${code}</Code><Message>${message}</Message></Error>`);
}

const sha256 = (data: Buffer | string): string => createHash('sha256').update(data).digest('hex');
const hmac = (key: Buffer | string, data: string): Buffer => createHmac('sha256', key).update(data).digest();

/** The code of what is wrong with a request's signature, or undefined where it is right. */
function findWrong(request: IncomingMessage, body: Buffer, now: number): string | undefined {
  const given = parseAuthorization(request.headers.authorization ?? '');
  if (!given) return 'AccessDenied';
  if (given.keyId !== keyId) return 'InvalidAccessKeyId';
  if (given.region !== region || given.service !== 's3') return 'AuthorizationHeaderMalformed';
  const { headers } = request;
  const date = String(headers['x-amz-date']);
  const at = Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  if (!(Math.abs(now - at) < allowedSkewMs) || !date.startsWith(given.day)) return 'RequestTimeTooSkewed';
  if (!['host', 'x-amz-content-sha256', 'x-amz-date'].every((name) => given.signedHeaders.includes(name))) {
    return 'AccessDenied';
  }
  const bodyHash = String(headers['x-amz-content-sha256']);
  if (bodyHash !== 'UNSIGNED-PAYLOAD' && bodyHash !== sha256(body)) return 'XAmzContentSHA256Mismatch';
  const named = given.signedHeaders.map((name): [string, string] => [name, String(headers[name] ?? '')]);
  const expected = signatureOf(
    { method: request.method ?? '', target: request.url ?? '', headers: named, bodyHash, date },
    given,
    secret,
  );
  const same =
    expected.length === given.signature.length && timingSafeEqual(Buffer.from(expected), Buffer.from(given.signature));
  return same ? undefined : 'SignatureDoesNotMatch';
}

export interface SignedRequest {
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly bodyHash: string;
  /** yyyymmddThhmmssZ. */
  readonly date: string;
}

/** Hexadecimal signature by Amazon's description of Signature Version 4. */
export function signatureOf(
  request: SignedRequest,
  scope: { day: string; region: string; service: string },
  key: string,
): string {
  const [path = '', query = ''] = request.target.split('?');
  const canonical = [
    request.method,
    path
      .split('/')
      .map((part) => encode(decodeURIComponent(part)))
      .join('/'),
    canonicalQuery(query),
    ...request.headers.map(([name, value]) => `${name}:${value.trim().replace(/ +/g, ' ')}`),
    '',
    request.headers.map(([name]) => name).join(';'),
    request.bodyHash,
  ].join('\n');
  const place = `${scope.day}/${scope.region}/${scope.service}/aws4_request`;
  const toSign = ['AWS4-HMAC-SHA256', request.date, place, sha256(canonical)].join('\n');
  const signing = [scope.day, scope.region, scope.service, 'aws4_request'].reduce<Buffer | string>(hmac, `AWS4${key}`);
  return hmac(signing, toSign).toString('hex');
}

function canonicalQuery(query: string): string {
  const pairs = query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [name = '', value = ''] = pair
        .split('=')
        .map((part) => encode(decodeURIComponent(part.replaceAll('+', ' '))));
      return `${name}=${value}`;
    });
  return pairs.sort().join('&');
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

function parseAuthorization(text: string) {
  const match =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      text,
    );
  if (!match) return undefined;
  const [, id = '', day = '', place = '', service = '', names = '', signature = ''] = match;
  return { keyId: id, day, region: place, service, signedHeaders: names.split(';'), signature };
}
