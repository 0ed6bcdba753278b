import { generateKeyPairSync, sign } from 'node:crypto';
import { readLicense } from '../../src/domains/license/license-statement.ts';
import type { Random } from '../../src/vision/types.ts';
import { pick } from './fuzz-target.ts';
import { mutateText } from './mutate.ts';

const { privateKey, publicKey: key } = generateKeyPairSync('ed25519');
const publicKey = String(key.export({ format: 'jwk' }).x);
const check = { publicKey, nodeHash: 'a'.repeat(64), now: new Date('2026-12-01T00:00:00Z') };
const header = { alg: 'EdDSA', typ: 'JWT' };
const payload = {
  iss: 'kensa-license',
  sub: 'Works 3',
  iat: 1795000000,
  exp: 1814313600,
  node: 'any',
  features: ['training', 'prediction'],
};

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
function signed(head: unknown, body: unknown): string {
  const text = `${part(head)}.${part(body)}`;
  return `${text}.${sign(null, Buffer.from(text), privateKey).toString('base64url')}`;
}
const statement = signed(header, payload);
const genuine = JSON.stringify(await readLicense(statement, check));

/** What a stranger sends: it must be refused, unless only its spelling differs, such as a line break of a mail. */
export async function feedLicense(random: Random): Promise<void> {
  const text = mutateText(statement, random);
  const license = await readLicense(text, check);
  if (JSON.stringify(license) !== genuine) throw new Error(`a license that nobody signed: ${JSON.stringify(license)}`);
}

const unusual: readonly unknown[] = [
  ...[null, true, false, '', 'any', 0, -1, 1e15, 1e300, 1814313600, '1814313600', 1.5, -1e300, 8.64e12 + 1],
  ...[
    [],
    ['training'],
    [[['x']]],
    [null, 1, {}],
    {},
    { toString: 'x' },
    { __proto__: null, length: 3 },
    'a'.repeat(5000),
  ],
];
const claims = ['iss', 'sub', 'iat', 'exp', 'nbf', 'aud', 'node', 'features', '__proto__', 'constructor', 'toString'];
const headers = ['alg', 'typ', 'crit', 'b64', 'kid', 'jwk', 'jku', 'x5c', 'zip', 'cty'];

/** What a vendor with a broken tool sends: properly signed, with claims of any kind. */
export async function feedSignedLicense(random: Random): Promise<void> {
  const body: Record<string, unknown> = { ...payload };
  for (let count = 1 + random.integer(3); count > 0; count--) body[pick(claims, random)] = pick(unusual, random);
  const head: Record<string, unknown> = { ...header };
  if (random.integer(4) === 0) head[pick(headers, random)] = pick(unusual, random);
  const { customer, expiry, node, features } = await readLicense(signed(head, body), check);
  const sound =
    typeof customer === 'string' &&
    Date.parse(expiry) > check.now.getTime() &&
    (node === 'any' || node === check.nodeHash) &&
    features.every((feature) => typeof feature === 'string');
  if (!sound) throw new Error(`an unsound license: ${JSON.stringify({ customer, expiry, node, features })}`);
}
