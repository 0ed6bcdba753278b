import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { AppError } from '../errors.ts';
import { say } from '../messages/message.ts';
import { errorBody } from './error-body.ts';
import { languageOf } from './language.ts';

interface ConnectionError extends Error {
  readonly code?: string;
  /** A buffer, although the framework's types name another type. */
  readonly rawPacket?: unknown;
}

/** Answers what cannot be read as HTTP with the one error body, too. The framework has no request for it. */
export function answerClientError(error: ConnectionError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const known = toAppError(error);
  if (socket.writable) {
    const packet = Buffer.isBuffer(error.rawPacket) ? error.rawPacket.toString('latin1') : '';
    const pointer = /^[A-Z]+ ([^ ?]+)/.exec(packet)?.[1] ?? '';
    const language = languageOf({ headers: { 'accept-language': /^accept-language:(.*)$/im.exec(packet)?.[1] } });
    const body = JSON.stringify(errorBody(known, pointer, language));
    const head = [
      `HTTP/1.1 ${known.status} ${STATUS_CODES[known.status]}`,
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
