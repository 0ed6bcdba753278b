import { type LookupAddress, type LookupOptions, lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { fieldError } from '../../errors.ts';
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

/** Ranges of ipaddr.js that both settings refuse. */
const neverCalled = ['unspecified', 'broadcast', 'multicast', 'linkLocal', 'deprecatedSiteLocal'];
/** Metadata services of clouds. */
const metadataServices = ['100.100.100.200', '192.0.0.192', 'fd00:ec2::254', 'fd20:ce::254'];

/** @throws CallbackAddressError where the service must not connect to this address. */
export function checkCallbackAddress(address: string, networks: CallbackNetworks): void {
  const ip = isIP(address) === 0 ? undefined : withoutTunnel(ipaddr.parse(address));
  const range: string | undefined = ip?.range();
  if (!ip || !range || neverCalled.includes(range) || metadataServices.includes(ip.toString())) {
    throw new CallbackAddressError(say('callback.reserved-address', { address }));
  }
  if (networks === 'public' && range !== 'unicast') {
    throw new CallbackAddressError(say('callback.private-address', { address }));
  }
}

/** The IPv4 address that an IPv6 address carries (mapped, compatible, NAT64, 6to4); any other address as it is. */
function withoutTunnel(ip: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  if (!('parts' in ip)) return ip;
  const bytes = ip.toByteArray();
  const range: string = ip.range();
  if (range === '6to4') return new ipaddr.IPv4(bytes.slice(2, 6));
  const isNat64 = ip.parts[0] === 0x64 && ip.parts[1] === 0xff9b;
  const isCompatible = range === 'unicast' && bytes.slice(0, 12).every((byte) => byte === 0);
  const carries = range === 'ipv4Mapped' || range === 'rfc6145' || isNat64 || isCompatible;
  return carries ? new ipaddr.IPv4(bytes.slice(12)) : ip;
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

/** @throws AppError `invalid-parameters` where the service could never call this URL. */
export function parseCallbackUrl(text: string, networks: CallbackNetworks): URL {
  const refuse = (problem: Message) => fieldError('invalid-parameters', 'callback_url', problem);
  const noUrl = say('callback.no-url', { received: text });
  if (!URL.canParse(text)) throw refuse(noUrl);
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw refuse(noUrl);
  }
  if (url.username !== '' || url.password !== '') throw refuse(say('callback.credentials'));
  try {
    checkWrittenAddress(url, networks);
  } catch (error) {
    throw error instanceof CallbackAddressError ? refuse(error.detail) : error;
  }
  url.hash = '';
  return url;
}

/** Checks the host of a URL where it is an address. @throws CallbackAddressError */
export function checkWrittenAddress(url: URL, networks: CallbackNetworks): void {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0) checkCallbackAddress(host, networks);
}
