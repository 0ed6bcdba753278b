import { isIP } from 'node:net';
import { fieldError } from '../../errors.ts';
import { type Message, say } from '../../messages/message.ts';
import { CallbackAddressError, type CallbackNetworks, checkCallbackAddress } from './callback-address.ts';

/** @throws AppError `invalid-parameters` where the service could never call this URL. */
export function parseCallbackUrl(text: string, networks: CallbackNetworks): URL {
  const refuse = (problem: Message) => fieldError('invalid-parameters', 'callback_url', problem);
  if (!URL.canParse(text)) throw refuse(say('callback.no-url', { received: text }));
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw refuse(say('callback.protocol', { received: url.protocol }));
  }
  if (url.username !== '' || url.password !== '') {
    throw refuse(say('callback.credentials'));
  }
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0) {
    try {
      checkCallbackAddress(host, networks);
    } catch (error) {
      throw error instanceof CallbackAddressError ? refuse(error.detail) : error;
    }
  }
  url.hash = '';
  return url;
}
