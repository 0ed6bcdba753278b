import { type LookupAddress, type LookupOptions, lookup as systemLookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { type Message, render, say } from '../../messages/message.ts';

/** `private`: callbacks may go to private and loopback addresses, where factories live; `public`: they may not. */
export type CallbackNetworks = 'private' | 'public';

export class CallbackAddressError extends Error {
  override readonly name = 'CallbackAddressError';
  readonly detail: Message;

  constructor(detail: Message) {
    super(render(detail, 'en'));
    this.detail = detail;
  }
}

type Range = readonly [address: string, prefix: number];

/** Link-local, metadata services of clouds, and what is no single machine: never called, whatever the setting. */
const forbidden = blockListOf([
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['100.100.100.200', 32],
  ['192.0.0.192', 32],
  ['224.0.0.0', 4],
  ['255.255.255.255', 32],
  ['::', 128],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
  ['fd00:ec2::254', 128],
  ['fd20:ce::254', 128],
]);

const notPublic = blockListOf([
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['240.0.0.0', 4],
  ['::1', 128],
  ['fc00::', 7],
  ['100::', 64],
  ['2001:db8::', 32],
]);

/** @throws CallbackAddressError where the service must not connect to this address. */
export function checkCallbackAddress(address: string, networks: CallbackNetworks): void {
  for (const candidate of [address, ...embeddedIpv4(address)]) {
    const family = isIP(candidate) === 6 ? 'ipv6' : 'ipv4';
    if (isIP(candidate) === 0 || forbidden.check(candidate, family)) {
      throw new CallbackAddressError(say('callback.reserved-address', { address }));
    }
    if (networks === 'public' && notPublic.check(candidate, family)) {
      throw new CallbackAddressError(say('callback.private-address', { address }));
    }
  }
}

/**
 * A `lookup` for sockets that checks what a name resolves to at the moment of connecting, so that a name cannot be
 * checked with one address and called with another. One refused address refuses the name.
 */
export function createCheckedLookup(networks: CallbackNetworks, resolve: typeof systemLookup = systemLookup) {
  const checked = (
    hostname: string,
    options: LookupOptions,
    callback: (error: Error | null, address: string | LookupAddress[], family?: number) => void,
  ): void => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, []);
      try {
        for (const { address } of addresses) checkCallbackAddress(address, networks);
      } catch (refusal) {
        return callback(refusal as Error, []);
      }
      const [first] = addresses;
      if (options.all) return callback(null, addresses);
      if (!first) return callback(new Error(`${hostname} has no address.`), []);
      callback(null, first.address, first.family);
    });
  };
  return checked as LookupFunction;
}

/** IPv4 addresses that an IPv6 address carries: mapped, compatible, NAT64 and 6to4. */
function embeddedIpv4(address: string): string[] {
  if (isIP(address) !== 6) return [];
  const groups = expandIpv6(address);
  const dotted = (high = 0, low = 0): string => [high >> 8, high & 255, low >> 8, low & 255].join('.');
  const leadingZeros = groups.findIndex((group) => group !== 0);
  const isMapped = leadingZeros === 5 && groups[5] === 0xffff;
  const isCompatible = leadingZeros >= 6 && (groups[6] !== 0 || (groups[7] ?? 0) > 1);
  const isNat64 = groups[0] === 0x64 && groups[1] === 0xff9b;
  if (isMapped || isCompatible || isNat64) return [dotted(groups[6], groups[7])];
  return groups[0] === 0x2002 ? [dotted(groups[1], groups[2])] : [];
}

/** The eight 16-bit groups of a valid IPv6 address. */
function expandIpv6(address: string): number[] {
  const text = (address.split('%', 1)[0] ?? '').replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...parts: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = parts.slice(0, 4).map(Number);
    return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
  });
  const [head = '', tail] = text.split('::');
  const read = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  if (tail === undefined) return read(head);
  const [left, right] = [read(head), read(tail)];
  return [...left, ...new Array<number>(8 - left.length - right.length).fill(0), ...right];
}

function blockListOf(ranges: readonly Range[]): BlockList {
  const list = new BlockList();
  for (const [address, prefix] of ranges) list.addSubnet(address, prefix, isIP(address) === 6 ? 'ipv6' : 'ipv4');
  return list;
}
