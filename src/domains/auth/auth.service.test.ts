import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createSignedTokens } from './auth.service.ts';

const claims = { clientId: 'line 1', fingerprint: 'abc' };
const refused = { code: 'token-invalid' };

describe('signed tokens', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('say what they were issued with, as often as they are read', async () => {
    const tokens = createSignedTokens(randomBytes(32));
    const token = await tokens.issue(claims, 60);
    expect(await tokens.read(token)).toMatchObject(claims);
    expect(await tokens.read(token)).toMatchObject(claims);
  });

  it('end when they expire, also where they have been read before', async () => {
    vi.useFakeTimers();
    const tokens = createSignedTokens(randomBytes(32));
    const token = await tokens.issue(claims, 60);
    await tokens.read(token);
    vi.advanceTimersByTime(61_000);
    await expect(tokens.read(token)).rejects.toMatchObject(refused);
  });

  it('are refused with another key, and where one character differs', async () => {
    const tokens = createSignedTokens(randomBytes(32));
    const token = await tokens.issue(claims, 60);
    await tokens.read(token);
    await expect(createSignedTokens(randomBytes(32)).read(token)).rejects.toMatchObject(refused);
    const at = token.length - 10;
    const changed = `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`;
    await expect(tokens.read(changed)).rejects.toMatchObject(refused);
  });
});
