import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { AppError, messageOf } from '../../errors.ts';
import { parseCameraUrl } from '../../line/camera/camera-address.ts';
import { openCapture } from '../../line/camera/capture.ts';
import { say } from '../../messages/message.ts';
import { findStorageFailure } from '../../storage-failure.ts';
import type { Admission } from './admission.ts';
import type { SourceTracker } from './source-state.ts';

export interface CameraSource {
  readonly kind: 'camera';
  readonly url: string;
  readonly trigger: 'request' | { readonly every_ms: number };
}

/** An image of a camera, with the name that its item gets. */
export interface CameraImage {
  readonly name: string;
  readonly bytes: Buffer;
}

const framePatienceMs = 5000;

/** Keeps a camera open, and has an image stored at an interval where that is set. */
export function openCameraSource(
  source: CameraSource,
  dependencies: {
    stationId: string;
    admit: Admission['admit'];
    tracker: SourceTracker;
    onTaken: () => void;
    log: Logger;
  },
) {
  const { stationId, admit, tracker, log } = dependencies;
  const input = parseCameraUrl(source.url);
  const stopping = new AbortController();
  tracker.setFault(say('camera.connecting'));
  if ('problem' in input) {
    // An earlier version may have stored it.
    tracker.setFault(input.problem);
    return { camera: undefined, stop: async () => {} };
  }
  let isCapturing = false;
  let storeFault: ReturnType<typeof messageOf> | undefined;
  const capture = openCapture(input, (fault) => {
    isCapturing = fault === undefined;
    tracker.setFault(fault ?? storeFault);
  });

  const take = async (): Promise<CameraImage | undefined> => {
    const frame = await capture.takeNext(framePatienceMs);
    return frame && { name: `camera-${new Date().toISOString().replace(/[-:.]/g, '')}.jpg`, bytes: frame.bytes };
  };

  const storeOne = async (): Promise<void> => {
    const image = await take();
    if (!image || stopping.signal.aborted) return;
    try {
      await admit({ stationId, path: image.name, bytes: image.bytes, record: async () => {} });
      storeFault = undefined;
      tracker.keepUnreadable(() => false);
      dependencies.onTaken();
    } catch (error) {
      storeFault = undefined;
      if (error instanceof AppError && error.code === 'image-invalid') {
        const [problem = error.detail] = error.problems.flatMap(({ errors }) => errors);
        tracker.addUnreadable({ name: 'camera', since: new Date().toISOString(), problem });
      } else if (!(error instanceof AppError && error.code === 'station-not-ready')) {
        // This image is lost, and the station says so until one is stored again.
        storeFault = findStorageFailure(error)?.detail ?? messageOf(error);
        log.warn({ station: stationId, err: error }, 'an image of a camera was not stored');
      }
    }
    if (isCapturing) tracker.setFault(storeFault);
  };

  const repeat = async (everyMs: number): Promise<void> => {
    for (let next = performance.now(); !stopping.signal.aborted; ) {
      await storeOne();
      // Where an image takes longer than the interval, images are passed over.
      next = Math.max(next + everyMs, performance.now());
      const wait = next - performance.now();
      await pause(wait, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
    }
  };
  const repeating = source.trigger === 'request' ? Promise.resolve() : repeat(source.trigger.every_ms);

  return {
    camera: { take, latest: (): Buffer | undefined => capture.latest()?.bytes },
    async stop(): Promise<void> {
      stopping.abort();
      await capture.stop();
      await repeating;
    },
  };
}
