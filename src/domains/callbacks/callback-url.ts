import { isIP } from 'node:net';
import { fieldError } from '../../errors.ts';
import { type CallbackNetworks, checkCallbackAddress } from './callback-address.ts';

/** @throws AppError `invalid-parameters` where the service could never call this URL. */
export function parseCallbackUrl(text: string, networks: CallbackNetworks): URL {
  const refuse = (problem: string) => fieldError('invalid-parameters', 'callback_url', problem);
  if (!URL.canParse(text)) throw refuse(`must be a URL such as http://plc.local:8080/kensa, received "${text}".`);
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw refuse(`must start with http:// or https://, received "${url.protocol}".`);
  }
  if (url.username !== '' || url.password !== '') {
    throw refuse('must not carry a user name or password. Verify the signature of the call instead.');
  }
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0) {
    try {
      checkCallbackAddress(host, networks);
    } catch (error) {
      throw refuse((error as Error).message);
    }
  }
  url.hash = '';
  return url;
}
