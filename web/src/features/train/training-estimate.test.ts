import { expect, it } from 'vitest';
import type { Model } from '../../../../src/client/shapes.ts';
import { estimateTraining } from './training-estimate.ts';

const trained = (images: number, training_time: number, changes: object = {}): Model =>
  ({
    ...{ algorithm_id: 'patchcore', status: 'ready', parent_id: null, status_messages: [] },
    ...{ ok_img_count: images, ng_img_count: 0, training_time, parameters: { image_size: 256 } },
    ...changes,
  }) as unknown as Model;
const asked = { algorithmId: 'patchcore', images: 100, imageSize: 256 };

it('estimates a training by the longest earlier ones of its algorithm', () => {
  expect(estimateTraining([trained(100, 63)], asked)).toEqual({ seconds: 63, trainings: 1 });
  // Twice the side is four times the pixels.
  expect(estimateTraining([trained(100, 63)], { ...asked, imageSize: 512 })?.seconds).toBe(243);
  const four = [trained(5, 4), trained(100, 63), trained(200, 133), trained(50, 23)];
  expect(estimateTraining(four, asked)?.trainings).toBe(3);
  expect(estimateTraining(four, asked)?.seconds).toBeCloseTo(63, 6);
});

it('knows nothing from other algorithms, other servers, refinements and trainings that failed', () => {
  const others = [
    trained(100, 60, { algorithm_id: 'padim' }),
    trained(100, 60, { status_messages: [{ code: 'status.imported', values: {}, text: '' }] }),
    trained(100, 2, { parent_id: 'model' }),
    trained(100, 2, { status: 'failed' }),
  ];
  expect(estimateTraining(others, asked)).toBeUndefined();
});
