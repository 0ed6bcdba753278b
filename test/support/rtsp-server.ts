import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findFreePort } from './free-port.ts';

/** Debian's own, which has the bindings of GStreamer. */
const python = '/usr/bin/python3';
const script = new URL('rtsp-server.py', import.meta.url).pathname;
const bindings = 'import gi; gi.require_version("GstRtspServer", "1.0"); from gi.repository import GstRtspServer';

/** Whether an RTSP server can be started here; where not, the tests with one say so and are skipped. */
export const hasRtspServer = spawnSync(python, ['-c', bindings]).status === 0;
if (!hasRtspServer) {
  const packages = 'python3-gi gir1.2-gst-rtsp-server-1.0';
  console.warn(`GStreamer's RTSP server is not installed: its tests are skipped. apt-get install ${packages}`);
}

export interface RtspServer {
  /** Address of a camera with 320 × 240 pixels. */
  url(path: 'mjpeg' | 'h264', password?: string): string;
  /** Ends it at once. */
  kill(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** GStreamer's RTSP server, which many network cameras have inside. It asks for a password. */
export async function startRtspServer(): Promise<RtspServer> {
  const folder = mkdtempSync(join(tmpdir(), 'kensa-rtsp-'));
  const film = join(folder, 'film.mp4');
  const input = ['-f', 'lavfi', '-i', 'testsrc=size=320x240:rate=10', '-t', '120'];
  const codec = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '10', '-pix_fmt', 'yuv420p'];
  await promisify(execFile)('ffmpeg', ['-loglevel', 'error', ...input, ...codec, film]);
  const port = await findFreePort();
  let child: ChildProcess | undefined;
  const kill = async (): Promise<void> => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  const start = async (): Promise<void> => {
    const started = spawn(python, [script, String(port), film], { stdio: ['ignore', 'pipe', 'ignore'] });
    child = started;
    const [first] = (await Promise.race([once(started.stdout, 'data'), once(started, 'exit')])) as [unknown];
    if (!String(first).startsWith('ready')) throw new Error('The RTSP server did not start.');
  };
  await start();
  return {
    url: (path, password = 'top-secret') => `rtsp://viewer:${password}@127.0.0.1:${port}/${path}`,
    kill,
    start,
    async stop() {
      await kill();
      rmSync(folder, { recursive: true });
    },
  };
}
