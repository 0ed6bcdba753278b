import type { Socket } from 'node:net';
import { AppError } from '../errors.ts';
import { say } from '../messages/message.ts';
import { errorBody } from './error-body.ts';

interface ConnectionError extends Error {
  readonly code?: string;
  /** A buffer, whatever the framework's types say. */
  readonly rawPacket?: unknown;
}

const reasons: Record<number, string> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

/** Answers what cannot be read as HTTP, for which there is no request, with the one error body too. */
export function answerClientError(error: ConnectionError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const known = toAppError(error);
  if (socket.writable) {
    const pointer =
      /^[A-Z]+ ([^ ?]+)/.exec(Buffer.isBuffer(error.rawPacket) ? error.rawPacket.toString('latin1') : '')?.[1] ?? '';
    const body = JSON.stringify(errorBody(known, pointer, 'en'));
    const head = [
      `HTTP/1.1 ${known.status} ${reasons[known.status]}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  }
  socket.destroy(error);
}

function toAppError({ code }: ConnectionError): AppError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new AppError('request-timeout');
  if (code === 'HPE_HEADER_OVERFLOW') return new AppError('headers-too-large');
  return new AppError('malformed-request', { reason: say('request.cut-off') });
}
