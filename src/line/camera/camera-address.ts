import { open } from 'node:fs/promises';
import { connect } from 'node:net';
import { type Message, say } from '../../messages/message.ts';

/** How ffmpeg reads a camera. */
export interface CameraInput {
  readonly args: readonly string[];
  /** The camera sends JPEG images, which are taken as they are. */
  readonly isJpeg: boolean;
  /** Path of a camera at this computer. */
  readonly device?: string;
  /** The size that it is asked for, such as `1920x1080`. */
  readonly size?: string;
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
  // Without -copyts the times of the images would begin at 0.
  const args = ['-copyts', '-f', 'v4l2', ...options, '-i', url.pathname];
  return { isJpeg: false, args, device: url.pathname, ...(size === null ? {} : { size }) };
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

/** Why the camera at this computer cannot be opened. Several programs may open it, one of them reads images. */
export async function findDeviceProblem(path: string): Promise<Message | undefined> {
  try {
    const device = await open(path, 'r+');
    const isDevice = (await device.stat()).isCharacterDevice();
    await device.close();
    return isDevice ? undefined : say('camera.no-device', { received: path });
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EBUSY') return say('camera.busy', { device: path });
    const isForbidden = code === 'EACCES' || code === 'EPERM';
    return say(isForbidden ? 'camera.no-permission' : 'camera.no-device', { received: path });
  }
}

/** Why the camera cannot be reached just now; undefined: something answers there. */
export async function findCameraProblem(text: string, patienceMs = 3000): Promise<Message | undefined> {
  const url = new URL(text);
  if (url.protocol === 'v4l2:') return findDeviceProblem(url.pathname);
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
