import type { Model } from '../../../../src/client/shapes.ts';

/** What a training takes however few its images are: its process starts, and the network is opened. */
const startSeconds = 3;
/** Trainings that an estimate is made from. The longest say most about another one. */
const most = 3;

/** The time grows with the number of pixels that the network sees. */
const workOf = (images: number, imageSize: number): number => images * imageSize ** 2;

export interface TrainingEstimate {
  readonly seconds: number;
  /** How many earlier trainings it is made from. */
  readonly trainings: number;
}

/**
 * How long a training may take, by earlier trainings of the same algorithm on this server; undefined without any.
 * @param imageSize side of the network's input
 */
export function estimateTraining(
  models: readonly Model[],
  { algorithmId, images, imageSize }: { algorithmId: string; images: number; imageSize: number },
): TrainingEstimate | undefined {
  const earlier = models
    .filter((model) => model.algorithm_id === algorithmId && isTrainedHere(model))
    .map((model) => ({
      seconds: model.training_time ?? 0,
      work: workOf(model.ok_img_count + model.ng_img_count, Number(model.parameters?.['image_size'])),
    }))
    .filter(({ work }) => work > 0)
    .sort((one, other) => other.work - one.work)
    .slice(0, most);
  if (earlier.length === 0) return undefined;
  const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
  // A short training is mostly its start.
  const time = sum(earlier.map(({ seconds }) => Math.max(seconds - startSeconds, 0.3 * seconds)));
  const rate = time / sum(earlier.map(({ work }) => work));
  return { seconds: startSeconds + rate * workOf(images, imageSize), trainings: earlier.length };
}

function isTrainedHere({ status, parent_id: parent, status_messages: messages = [] }: Model): boolean {
  return status === 'ready' && !parent && !messages.some(({ code }) => code === 'status.imported');
}
