import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedCall {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A receiver of callbacks as a customer would write one, with a server of its own. */
export interface CallbackReceiver {
  readonly url: string;
  readonly calls: ReceivedCall[];
  /** How the next calls are answered; 204 where nothing is said. */
  answer: (call: ReceivedCall, response: ServerResponse) => void;
  waitForCalls(count: number, withinMs?: number): Promise<ReceivedCall[]>;
  close(): Promise<void>;
}

export async function startCallbackReceiver(): Promise<CallbackReceiver> {
  const calls: ReceivedCall[] = [];
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const call = {
        method: request.method ?? '',
        url: new URL(request.url ?? '/', receiver.url),
        headers: request.headers,
        body: Buffer.concat(chunks).toString('utf8'),
      };
      calls.push(call);
      receiver.answer(call, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: CallbackReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    calls,
    answer: (_call, response) => void response.writeHead(204).end(),
    async waitForCalls(count, withinMs = 30_000) {
      const until = Date.now() + withinMs;
      while (calls.length < count) {
        if (Date.now() > until) throw new Error(`${calls.length} of ${count} calls came within ${withinMs} ms.`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      return calls;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}

/** Checks a call as the Standard Webhooks specification says; written apart from the code that signs. */
export function verifySignature(call: ReceivedCall, secret: string): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = call.headers;
  const content = call.method === 'GET' ? call.url.searchParams.get('items') : call.body;
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) return false;
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${content}`).digest();
  return String(signatures)
    .split(' ')
    .some((signature) => {
      const [version, value = ''] = signature.split(',');
      const received = Buffer.from(value, 'base64');
      return version === 'v1' && received.length === expected.length && timingSafeEqual(received, expected);
    });
}
