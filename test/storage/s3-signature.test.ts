import { expect, it } from 'vitest';
import { parseS3Url } from '../../src/storage/blobs/s3-blob-store.ts';
import { signatureOf } from '../support/s3-server.ts';

const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const scope = { day: '20130524', region: 'us-east-1', service: 's3' };
const key = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';

// From Amazon's "Signature Calculations for the Authorization Header".
it.each([
  ['/test.txt', [['range', 'bytes=0-9']], 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41'],
  ['/?max-keys=2&prefix=J', [], '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7'],
  ['/?lifecycle', [], 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543'],
] as const)('the server of the tests checks signatures as Amazon publishes them: %s', (target, extra, signature) => {
  const headers: [string, string][] = [
    ['host', 'examplebucket.s3.amazonaws.com'],
    ...extra.map(([name, value]): [string, string] => [name, value]),
    ['x-amz-content-sha256', empty],
    ['x-amz-date', '20130524T000000Z'],
  ];
  expect(signatureOf({ method: 'GET', target, headers, bodyHash: empty, date: '20130524T000000Z' }, scope, key)).toBe(
    signature,
  );
});

it('the address of a bucket is read with its key, its prefix and its region', () => {
  expect(parseS3Url('s3+https://K:s%2Fx@store.example:9000/images/line/3?region=eu')).toEqual({
    bucketUrl: 'https://store.example:9000/images',
    prefix: 'line/3/',
    region: 'eu',
    accessKeyId: 'K',
    secretAccessKey: 's/x',
  });
  const fromEnvironment = { AWS_ACCESS_KEY_ID: 'A', AWS_SECRET_ACCESS_KEY: 'B', AWS_SESSION_TOKEN: 'C' };
  expect(parseS3Url('s3://images?region=eu', fromEnvironment)).toMatchObject({
    bucketUrl: 'https://s3.eu.amazonaws.com/images',
    sessionToken: 'C',
  });
  expect(() => parseS3Url('s3://images')).toThrow(/AWS_ACCESS_KEY_ID/);
  expect(() => parseS3Url('s3+http://a:b@host')).toThrow(/names no bucket/);
});
