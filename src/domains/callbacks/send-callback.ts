import type { lookup } from 'node:dns';
import { once } from 'node:events';
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect } from 'node:net';
import { type Message, say } from '../../messages/message.ts';
import {
  CallbackAddressError,
  type CallbackNetworks,
  checkWrittenAddress,
  createCheckedLookup,
} from './callback-address.ts';

export interface OutgoingCall {
  readonly url: string;
  readonly method: 'POST' | 'GET';
  readonly headers: Readonly<Record<string, string>>;
  /** Absent for `GET`. */
  readonly body?: string;
  readonly signal?: AbortSignal;
}

export interface CallOutcome {
  readonly delivered: boolean;
  /** Status of the answer; null where there was none. */
  readonly status: number | null;
  /** Why it counts as failed, for a person; null where it was delivered. */
  readonly error: Message | null;
  readonly durationMs: number;
}

export type CallbackSender = ReturnType<typeof createCallbackSender>;

const defaultTimeoutMs = 10_000;
const tryTimeoutMs = 3000;
const maxAnswerBytes = 64 * 1024;

/** Calls receivers. Redirects are not followed, answers are not kept, and forbidden addresses are not called. */
export function createCallbackSender(options: {
  networks: CallbackNetworks;
  timeoutMs?: number;
  resolve?: typeof lookup;
}) {
  const checkedLookup = createCheckedLookup(options.networks, options.resolve);
  const timeoutMs = options.timeoutMs ?? defaultTimeoutMs;

  const open = (call: OutgoingCall, signal: AbortSignal): ClientRequest => {
    const url = new URL(call.url);
    // A socket does not call `lookup` for a host that is an address already.
    checkWrittenAddress(url, options.networks);
    const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const length = call.body === undefined ? {} : { 'content-length': String(Buffer.byteLength(call.body)) };
    const headers = { 'user-agent': 'Kensa-Callback', ...call.headers, ...length };
    return request(url, { method: call.method, headers, lookup: checkedLookup, signal, agent: false });
  };

  return {
    /** @returns why no connection can be made; undefined where one can. */
    async tryConnection(url: URL): Promise<Message | undefined> {
      const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
      const host = url.hostname.replace(/^\[|\]$/g, '');
      const socket = connect({ host, port, lookup: checkedLookup });
      try {
        await once(socket, 'connect', { signal: AbortSignal.timeout(tryTimeoutMs) });
        return undefined;
      } catch (error) {
        if ((error as Error).name === 'AbortError') return say('callback.no-answer', { host, port });
        return describe(error as NodeJS.ErrnoException);
      } finally {
        socket.destroy();
      }
    },

    /** Never throws: what went wrong is in the outcome. */
    async send(call: OutgoingCall): Promise<CallOutcome> {
      const startedAt = performance.now();
      const timeout = AbortSignal.timeout(timeoutMs);
      const signal = call.signal ? AbortSignal.any([timeout, call.signal]) : timeout;
      const outcome = (status: number | null, error: Message | null): CallOutcome => ({
        delivered: error === null,
        status,
        error,
        durationMs: Math.round(performance.now() - startedAt),
      });
      try {
        const status = await exchange(() => open(call, signal), call.body);
        if (status >= 200 && status < 300) return outcome(status, null);
        const isRedirect = status >= 300 && status < 400;
        return outcome(status, say(isRedirect ? 'callback.redirected' : 'callback.answered', { status }));
      } catch (error) {
        if (timeout.aborted) return outcome(null, say('callback.too-slow', { seconds: timeoutMs / 1000 }));
        return outcome(null, describe(error as NodeJS.ErrnoException));
      }
    },
  };
}

function exchange(open: () => ClientRequest, body: string | undefined): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = open();
    request.once('error', reject);
    request.once('response', (answer: IncomingMessage) => {
      const status = answer.statusCode ?? 0;
      let received = 0;
      answer.on('data', (chunk: Buffer) => {
        received += chunk.length;
        if (received <= maxAnswerBytes) return;
        resolve(status);
        request.destroy();
      });
      answer.once('error', reject);
      answer.once('end', () => resolve(status));
    });
    request.end(body);
  });
}

function describe(error: NodeJS.ErrnoException): Message {
  if (error instanceof CallbackAddressError) return error.detail;
  switch (error.code) {
    case 'ECONNREFUSED':
      return say('callback.refused');
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return say('callback.no-host');
    case 'ECONNRESET':
      return say('callback.reset');
    default:
      // A connection that was tried at several addresses fails with all their errors and no message of its own.
      return say('callback.failed', {
        details: error.message || String((error as { errors?: unknown[] }).errors?.[0] ?? error.code),
      });
  }
}
