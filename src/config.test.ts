import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError, describeSettings, findDoubtfulSettings, loadConfig, trustedProxies } from './config.ts';

function complaintsOf(environment: Record<string, string>): string {
  try {
    loadConfig(environment);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message;
  }
  throw new Error('It was accepted.');
}

describe('settings', () => {
  it('have defaults that start a service', () => {
    expect(loadConfig({})).toMatchObject({ PORT: 8080, HOST: '127.0.0.1', KENSA_QUEUE_LIMIT: 1000 });
  });

  it('are converted from text', () => {
    expect(loadConfig({ PORT: '9000', KENSA_WORKERS: '3' })).toMatchObject({ PORT: 9000, KENSA_WORKERS: 3 });
  });

  it('that are wrong are all named at once, secrets not shown', () => {
    const text = complaintsOf({
      PORT: '99999',
      KENSA_QUEUE_LIMIT: 'many',
      KENSA_CLIENT_ID: 'a',
      KENSA_CLIENT_SECRET: 'short',
    });
    for (const name of ['PORT', 'KENSA_QUEUE_LIMIT', 'KENSA_CLIENT_SECRET']) expect(text).toContain(name);
    expect(text).toContain('99999');
    expect(text).not.toContain('short');
  });

  it('are told which values they may have', () => {
    expect(complaintsOf({ KENSA_LOG_LEVEL: 'loud' })).toContain('must be one of "fatal", "error", "warn", "info"');
    expect(complaintsOf({ KENSA_CALLBACK_NETWORKS: 'all' })).toContain(
      'must be one of "private", "public", received "all".',
    );
  });

  it('are told their form by an example', () => {
    const text = complaintsOf({ BLOB_URL: 'file:///data', DATABASE_URL: 'mysql://x', KENSA_PUBLIC_URL: 'plant' });
    for (const form of ['s3://bucket', 'postgresql://user', 'https://kensa']) expect(text).toContain(`form ${form}`);
    expect(text).not.toContain('pattern');
  });

  it('come from a file too, and the environment wins', () => {
    const path = join(mkdtempSync(join(tmpdir(), 'kensa-config-')), 'kensa.json');
    writeFileSync(path, JSON.stringify({ PORT: 1234, HOST: '0.0.0.0' }));
    expect(loadConfig({ KENSA_CONFIG: path, PORT: '5678' })).toMatchObject({ PORT: 5678, HOST: '0.0.0.0' });
    writeFileSync(path, JSON.stringify({ PROT: 1234 }));
    expect(complaintsOf({ KENSA_CONFIG: path })).toContain('PROT');
    writeFileSync(path, 'no json');
    expect(complaintsOf({ KENSA_CONFIG: path })).toContain(path);
  });

  it('need id and secret of the first client together', () => {
    expect(complaintsOf({ KENSA_CLIENT_ID: 'a' })).toContain('belong together');
  });

  it('let a process leave the work to others only where others can take it', () => {
    expect(complaintsOf({ KENSA_WORKERS: '0' })).toContain('DATABASE_URL');
    expect(loadConfig({ KENSA_WORKERS: '0', DATABASE_URL: 'postgres://x/y' })).toMatchObject({ KENSA_WORKERS: 0 });
  });

  it('name the proxies whose word on the address of a client is taken', () => {
    const read = (text: string) => trustedProxies(loadConfig({ KENSA_TRUSTED_PROXIES: text }));
    expect(trustedProxies(loadConfig({}))).toEqual([]);
    expect(read('loopback, 10.0.0.0/8,2001:db8::7')).toEqual(['loopback', '10.0.0.0/8', '2001:db8::7']);
    for (const wrong of ['proxy.local', '10.0.0.0/33', '10.1', '1.2.3.4, all']) {
      const text = complaintsOf({ KENSA_TRUSTED_PROXIES: wrong });
      expect(text).toContain(`KENSA_TRUSTED_PROXIES: "${wrong.split(', ').at(-1)}" is`);
      expect(text).toContain('10.0.0.0/8 or loopback');
    }
  });

  it('that no version knows are named with the setting that was meant', () => {
    const given = { KENSA_DATADIR: '/data', KENSA_WORKERS: '2', KENSA_CONFIG: '', KENSA_COLOUR: 'red', PATH: '' };
    expect(findDoubtfulSettings(loadConfig({}), given)).toEqual([
      'KENSA_DATADIR is not a setting and has no effect. Did you mean KENSA_DATA_DIR?',
      'KENSA_COLOUR is not a setting and has no effect. Remove it, or check its spelling.',
    ]);
  });

  it('are named at the start where a secret is short or not random, without the secret', () => {
    const doubtOf = (secret: string) =>
      findDoubtfulSettings(loadConfig({ KENSA_CLIENT_ID: 'line 1', KENSA_CLIENT_SECRET: secret }), {}).join();
    for (const random of [
      'b13f0de9a4425e1d7c6a58f0932be741', // openssl rand -hex 16
      '5f2c1b7e90ad4c33f81e6d0b92a7c4580e9d3f6a1b8c27d5f04e6a93b1d8c72f', // openssl rand -hex 32
      'p2jNfmiQ6u0yXvB1Zb0mC3o8sJ4tYk7dWqLxA9Rg5Ew=', // openssl rand -base64 32
      'Qm3-x9_TzK0w8LrVb5NcYp1UeHs7Jd2a', // kensa client add
      '3e9f6c0a-7b1d-4e52-9c8f-0a6d2b7e41c5', // uuidgen -r
    ])
      expect(doubtOf(random), random).toBe('');
    for (const guessable of [
      'change-me-please',
      'b13f0de9a4425e1d7c6a58f0932be74',
      'the secret of the camera at press number 1',
      'Plant-Osaka-Line-1-Camera-Secret-2026',
      'a1b2c3d4a1b2c3d4a1b2c3d4a1b2c3d4',
      '0123456789abcdef0123456789abcdef',
      '314159265358979323846264338327950288419716939937510',
    ]) {
      expect(doubtOf(guessable), guessable).toMatch(
        /^KENSA_CLIENT_SECRET is short or not random.*openssl rand -hex 32/,
      );
      expect(doubtOf(guessable)).not.toContain(guessable);
    }
  });

  it('are all described', () => {
    for (const row of describeSettings()) expect(row.description, row.name).not.toBe('');
  });
});
