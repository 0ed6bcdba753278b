import { exportJWK, generateKeyPair, importJWK, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { AppError } from '../../errors.ts';
import { type Message, say } from '../../messages/message.ts';

export const licenseFeatures = ['training', 'prediction'] as const;
export type LicenseFeature = (typeof licenseFeatures)[number];

export interface License {
  readonly customer: string;
  /** ISO 8601. */
  readonly expiry: string;
  /** Hash of the machine that it is for; `any`: every machine. */
  readonly node: string;
  readonly features: readonly string[];
}

export interface VendorKeys {
  /** Raw Ed25519 keys, base64url. */
  readonly publicKey: string;
  readonly privateKey: string;
}

const issuer = 'kensa-license';
const algorithm = 'EdDSA';
const curve = { kty: 'OKP', crv: 'Ed25519' };

export async function makeVendorKeys(): Promise<VendorKeys> {
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true });
  const { x, d } = await exportJWK(privateKey);
  return { publicKey: String(x), privateKey: String(d) };
}

/** A signed statement (JWS, Ed25519) of customer, features, machine and last day. */
export async function signLicense(license: License, keys: VendorKeys): Promise<string> {
  const key = await importJWK({ ...curve, x: keys.publicKey, d: keys.privateKey }, algorithm);
  return new SignJWT({ node: license.node, features: [...license.features] })
    .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
    .setIssuer(issuer)
    .setSubject(license.customer)
    .setIssuedAt()
    .setExpirationTime(new Date(license.expiry))
    .sign(key);
}

/**
 * Checks signature, expiry and machine, without a network.
 * @throws AppError `license-invalid` that says which of them fails.
 */
export async function readLicense(
  statement: string,
  check: { publicKey: string; nodeHash: string; now: Date },
): Promise<License> {
  const refuse = (reason: Message, cause?: unknown) => new AppError('license-invalid', { reason }, { cause });
  const key = await importJWK({ ...curve, x: check.publicKey }, algorithm).catch((cause: unknown) => {
    throw refuse(say('license.bad-key'), cause);
  });
  const options = { algorithms: [algorithm], issuer, currentDate: check.now, requiredClaims: ['exp', 'sub'] };
  const verified = await jwtVerify(statement.trim(), key, options).catch((cause: { code?: string }) => {
    if (cause.code === 'ERR_JWT_EXPIRED') throw refuse(say('license.expired'), cause);
    throw refuse(say('license.damaged'), cause);
  });
  const license = toLicense(verified.payload);
  if (!license) throw refuse(say('license.claims'));
  if (license.node !== 'any' && license.node !== check.nodeHash) {
    throw refuse(say('license.other-machine', { hash: check.nodeHash }));
  }
  return license;
}

/** Undefined where a claim has the wrong type: a valid signature does not mean that the claims are valid. */
function toLicense(payload: JWTPayload & { node?: unknown; features?: unknown }): License | undefined {
  const { sub, exp, node, features = [] } = payload;
  const expiry = new Date(Number(exp) * 1000);
  const isList = Array.isArray(features) && features.every((feature) => typeof feature === 'string');
  if (typeof sub !== 'string' || Number.isNaN(expiry.getTime()) || typeof node !== 'string' || !isList)
    return undefined;
  return { customer: sub, expiry: expiry.toISOString(), node, features };
}
