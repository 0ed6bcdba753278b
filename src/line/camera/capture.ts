import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { type Message, say } from '../../messages/message.ts';
import { type CameraInput, findDeviceProblem, hidePassword } from './camera-address.ts';
import { createFrameParser, type Frame } from './smjpeg-frames.ts';

export type Capture = ReturnType<typeof openCapture>;

const silentMs = 10_000;
const firstWaitMs = 1000;
const longestWaitMs = 30_000;
/** Of what ffmpeg says. */
const mostWords = 2000;
const searchPath = '/usr/local/bin:/usr/bin:/bin';
/** What the C library calls EBUSY. */
const busyWords = 'Device or resource busy';
/** A driver keeps no image for longer. */
const oldestMs = 60_000;

/** When a frame was taken, on the clock of `performance.now()`. */
function takenAt({ startedAt, timestamp }: Frame, { device }: CameraInput): number {
  if (device === undefined) return startedAt;
  // The kernel gives each image the time of its monotonic clock, which is that of `hrtime` too.
  const ageMs = (Number(process.hrtime.bigint() / 1_000_000n) - timestamp) >>> 0;
  // Another age is that of a driver with another clock.
  return ageMs < oldestMs ? Math.min(startedAt, performance.now() - ageMs) : startedAt;
}

/**
 * Keeps a camera open in an ffmpeg process of its own. The process is started again whenever it ends, sends nothing, or
 * sends what is no image.
 * @param onState is told what is wrong, and `undefined` once images come.
 */
export function openCapture(input: CameraInput, onState: (fault: Message | undefined) => void, program = 'ffmpeg') {
  let latest: Frame | undefined;
  let stopped = false;
  let child: ChildProcess | undefined;
  let wakeUp = new AbortController();
  const waiting = new Set<(frame: Frame) => void>();
  // Images of cameras that send JPEG stay as they are.
  // Others keep their times to the millisecond: two with the same time, rounded to the camera's rate, would end ffmpeg. So
  // would a time that is earlier than the one before, after a camera set its clock: it becomes the next millisecond.
  const rising = 'settb=1/1000,setpts=if(isnan(PREV_OUTPTS)\\,PTS\\,max(PTS\\,PREV_OUTPTS+1))';
  const encoder = ['-vf', rising, '-fps_mode', 'passthrough', '-c:v', 'mjpeg', '-q:v', '2', '-enc_time_base', '1:1000'];
  const codec = input.isJpeg ? ['-c:v', 'copy'] : encoder;
  const args = [
    ...['-hide_banner', '-nostdin', '-loglevel', 'error', '-fflags', 'nobuffer', '-flags', 'low_delay'],
    ...input.args,
    ...['-map', '0:v:0', ...codec, '-flush_packets', '1', '-f', 'smjpeg', 'pipe:1'],
  ];

  const onFrame = (received: Frame): void => {
    const frame = { ...received, startedAt: takenAt(received, input) };
    latest = frame;
    onState(undefined);
    for (const take of [...waiting]) take(frame);
  };

  /** Runs one process to its end. @returns why it ended, and whether any image came. */
  const runOnce = async (): Promise<{ fault: Message; cameOn: boolean }> => {
    const started = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { PATH: searchPath } });
    child = started;
    let words = '';
    let fault: Message | undefined;
    let cameOn = false;
    const end = (reason: Message): void => {
      fault ??= reason;
      started.kill('SIGKILL');
    };
    const watchdog = setTimeout(() => end(say('camera.silent', { seconds: silentMs / 1000 })), silentMs).unref();
    const parse = createFrameParser();
    started.stdout.on('data', (chunk: Buffer) => {
      try {
        for (const frame of parse(chunk)) {
          // A driver takes the size nearest to the one that was asked for.
          if (input.size !== undefined && frame.size !== input.size)
            return end(say('camera.size', { asked: input.size, received: frame.size }));
          cameOn = true;
          watchdog.refresh();
          onFrame(frame);
        }
      } catch (error) {
        end(say('camera.garbage', { details: String(error) }));
      }
    });
    started.stderr.on('data', (text: Buffer) => {
      words = (words + text.toString()).slice(-mostWords);
    });
    try {
      await once(started, 'close');
    } catch (error) {
      const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      fault = isMissing ? say('camera.no-ffmpeg') : say('camera.ended', { details: String(error) });
    }
    clearTimeout(watchdog);
    const last = hidePassword(words.trim().split('\n').at(-1) ?? '');
    if (input.device !== undefined) {
      fault ??= await findDeviceProblem(input.device);
      if (words.includes(busyWords)) fault ??= say('camera.busy', { device: input.device });
    }
    return { fault: fault ?? say('camera.ended', { details: last || `code ${started.exitCode}` }), cameOn };
  };

  const run = async (): Promise<void> => {
    for (let waitMs = firstWaitMs; !stopped; waitMs = Math.min(2 * waitMs, longestWaitMs)) {
      const { fault, cameOn } = await runOnce();
      latest = undefined;
      if (stopped) return;
      onState(fault);
      if (cameOn) waitMs = firstWaitMs;
      await pause(waitMs, undefined, { signal: wakeUp.signal, ref: false }).catch(() => {});
    }
  };
  const done = run();

  return {
    /** The newest image; undefined while none comes. */
    latest: (): Frame | undefined => latest,

    /**
     * An image that was taken after this moment. The first image that comes may have been on its way for a while, so it
     * is the second. @returns undefined where it does not come in time.
     */
    async takeNext(patienceMs: number): Promise<Frame | undefined> {
      const askedAt = performance.now();
      let isSecond = false;
      return new Promise((resolve) => {
        const finish = (frame?: Frame): void => {
          clearTimeout(timer);
          waiting.delete(take);
          resolve(frame);
        };
        const take = (frame: Frame): void => {
          if (frame.startedAt < askedAt) return;
          if (isSecond) finish(frame);
          isSecond = true;
        };
        const timer = setTimeout(finish, patienceMs).unref();
        waiting.add(take);
      });
    },

    async stop(): Promise<void> {
      stopped = true;
      wakeUp.abort();
      wakeUp = new AbortController();
      child?.kill('SIGKILL');
      await done;
    },
  };
}

/** Opens a camera until its first image comes. @returns why none came in time; undefined: one came. */
export function tryCapture(input: CameraInput, patienceMs = 5000): Promise<Message | undefined> {
  return new Promise((resolve) => {
    const finish = (fault: Message | undefined): void => {
      clearTimeout(timer);
      void capture.stop().then(() => resolve(fault));
    };
    const capture = openCapture(input, finish);
    const timer = setTimeout(() => finish(say('camera.late')), patienceMs);
  });
}
