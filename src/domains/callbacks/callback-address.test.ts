import type { lookup } from 'node:dns';
import { describe, expect, it } from 'vitest';
import { CallbackAddressError, checkCallbackAddress, createCheckedLookup } from './callback-address.ts';

const never = [
  '169.254.169.254',
  '169.254.0.1',
  '::ffff:169.254.169.254',
  '::ffff:a9fe:a9fe',
  '0:0:0:0:0:ffff:a9fe:a9fe',
  '::169.254.169.254',
  '64:ff9b::169.254.169.254',
  '2002:a9fe:a9fe::1',
  'fe80::1',
  'fe80::1%eth0',
  'febf::1',
  'fd00:ec2::254',
  '100.100.100.200',
  '0.0.0.0',
  '::',
  '224.0.0.1',
  'ff02::1',
  'no address',
];
const local = ['127.0.0.1', '::1', '10.1.2.3', '172.31.255.255', '192.168.1.10', 'fd12::1', '100.64.0.1'];
const open = ['93.184.216.34', '2606:2800:220:1::1', '172.32.0.1', '11.0.0.1'];

describe('checkCallbackAddress', () => {
  it.each(never)('never calls %s', (address) => {
    for (const networks of ['private', 'public'] as const) {
      expect(() => checkCallbackAddress(address, networks)).toThrow(CallbackAddressError);
    }
  });
  it.each(local)('calls %s unless only public networks are allowed', (address) => {
    expect(() => checkCallbackAddress(address, 'private')).not.toThrow();
    expect(() => checkCallbackAddress(address, 'public')).toThrow(/KENSA_CALLBACK_NETWORKS/);
  });
  it.each(['::ffff:127.0.0.1', '::ffff:10.0.0.1', '64:ff9b::7f00:1', '2002:7f00:1::'])('sees through %s', (address) => {
    expect(() => checkCallbackAddress(address, 'public')).toThrow(CallbackAddressError);
  });
  it.each(open)('calls %s', (address) => {
    expect(() => checkCallbackAddress(address, 'public')).not.toThrow();
  });
});

describe('createCheckedLookup', () => {
  const answering = (...addresses: string[]) =>
    ((_name: string, _options: unknown, callback: (error: null, found: unknown) => void) =>
      callback(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      )) as unknown as typeof lookup;
  const ask = (resolve: typeof lookup, all: boolean) =>
    new Promise((fulfil, reject) => {
      createCheckedLookup('private', resolve)('camera.example', { all }, (error, address) =>
        error ? reject(error) : fulfil(address),
      );
    });

  it('hands over addresses that may be called, in both forms that sockets ask for', async () => {
    await expect(ask(answering('10.0.0.5'), false)).resolves.toBe('10.0.0.5');
    await expect(ask(answering('10.0.0.5'), true)).resolves.toEqual([{ address: '10.0.0.5', family: 4 }]);
  });
  it('refuses a name that resolves to a metadata address, even as one of several', async () => {
    await expect(ask(answering('10.0.0.5', '169.254.169.254'), true)).rejects.toThrow(CallbackAddressError);
  });
});
