import { stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { type Message, say } from '../../messages/message.ts';

/** How ffmpeg reads a camera. */
export interface CameraInput {
  readonly args: readonly string[];
  /** The camera sends JPEG images, which are taken as they are. */
  readonly isJpeg: boolean;
}

const example = 'rtsp://camera.local/stream';
/** Ends the process of a camera that hangs, also where nobody watches over it any more. */
const timeoutMicroseconds = '10000000';
/** Metadata services of clouds. */
const neverAsked = ['169.254.169.254', '100.100.100.200', '192.0.0.192', '[fd00:ec2::254]', '[fd20:ce::254]'];
const sizePattern = /^\d{2,5}x\d{2,5}$/;

/** The protocols that ffmpeg may use for each scheme. An answer of the camera cannot lead to a file. */
const protocols: Readonly<Record<string, string>> = {
  'rtsp:': 'rtsp,rtp,udp,tcp',
  'rtsps:': 'rtsp,rtsps,rtp,srtp,udp,tcp,tls',
  'http:': 'http,tcp',
  'https:': 'https,http,tcp,tls',
};
const ports: Readonly<Record<string, number>> = { 'rtsp:': 554, 'rtsps:': 322, 'http:': 80, 'https:': 443 };

/** @returns what ffmpeg is told, or what is wrong with the address. */
export function parseCameraUrl(text: string): CameraInput | { problem: Message } {
  const refuse = { problem: say('camera.url', { received: hidePassword(text), example }) };
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || /[\s\p{Cc}"'|\\]/u.test(text)) return refuse;
  if (url.protocol === 'v4l2:') return parseDevice(url) ?? refuse;
  const allowed = protocols[url.protocol];
  if (allowed === undefined || url.hostname === '' || neverAsked.includes(url.hostname)) return refuse;
  const isJpeg = url.protocol.startsWith('http');
  const how = isJpeg
    ? ['-rw_timeout', timeoutMicroseconds, '-f', 'mpjpeg']
    : ['-rtsp_transport', 'tcp', '-timeout', timeoutMicroseconds, '-f', 'rtsp'];
  return { isJpeg, args: ['-protocol_whitelist', allowed, ...how, '-i', url.href] };
}

/** `v4l2:///dev/video0?size=1920x1080`: a camera at this computer. */
function parseDevice(url: URL): CameraInput | undefined {
  const size = url.searchParams.get('size');
  const isKnown = [...url.searchParams.keys()].every((key) => key === 'size');
  if (url.host !== '' || !/^\/dev\/video\d{1,3}$/.test(url.pathname) || !isKnown) return undefined;
  if (size !== null && !sizePattern.test(size)) return undefined;
  const options = size === null ? [] : ['-video_size', size];
  return { isJpeg: false, args: ['-f', 'v4l2', ...options, '-i', url.pathname] };
}

/** What a person sees in place of a password. */
export const hiddenPassword = '****';

/** A text with the passwords of its URLs replaced. */
export const hidePassword = (text: string): string =>
  text.replace(/(\w+:\/\/[^\s/?#:@]*):[^\s/?#]*@/g, `$1:${hiddenPassword}@`);

/** The address that a person sent back with its password hidden, with the password that is stored. */
export function restorePassword(sent: string, stored: string): string {
  if (!URL.canParse(sent) || !URL.canParse(stored)) return sent;
  const [url, known] = [new URL(sent), new URL(stored)];
  // Another host must not get it.
  const isSame = url.protocol === known.protocol && url.host === known.host && url.username === known.username;
  return url.password === hiddenPassword && isSame ? sent.replace(`:${hiddenPassword}@`, `:${known.password}@`) : sent;
}

/** Why the camera cannot be reached just now; undefined: something answers there. */
export async function findCameraProblem(text: string, patienceMs = 3000): Promise<Message | undefined> {
  const url = new URL(text);
  if (url.protocol === 'v4l2:') {
    const device = await stat(url.pathname).catch(() => undefined);
    return device?.isCharacterDevice() ? undefined : say('camera.no-device', { received: url.pathname });
  }
  const port = Number(url.port) || (ports[url.protocol] ?? 0);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const end = (details?: string): void => {
      socket.destroy();
      resolve(details === undefined ? undefined : say('camera.unreachable', { host, port, details }));
    };
    socket.setTimeout(patienceMs, () => end('ETIMEDOUT'));
    socket.once('connect', () => end());
    socket.once('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
  });
}
