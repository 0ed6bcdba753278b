import type { InputLayout } from '../../backbone/input-layout.ts';
import { openPatchExtractor, type PatchExtractor } from '../../backbone/patch-extractor.ts';
import { noCorrections } from '../../corrections/correction-patches.ts';
import { say } from '../../engine-messages.ts';
import { sampleIndices } from '../../math/sample-indices.ts';
import { type FitInput, type FitResult, goodSamples, imageThreads } from '../../training/fit-input.ts';
import { learnByFolds } from '../../training/learn-by-folds.ts';
import { commonLayout } from '../../training/open-patch-source.ts';
import type { TrainingPatches } from '../../training/training-patches.ts';
import type { TrainingSample } from '../../types.ts';
import { throwIfCancelled } from '../../vision-error.ts';
import { getFlag, getNumber } from '../contract/parameter-values.ts';
import { checkGridSize } from './check-grid-size.ts';
import { type GaussianGrid, openGaussianScorer } from './gaussian-scorer.ts';
import { learnGaussians } from './learn-gaussians.ts';
import { channelSelection, encodePadim } from './model.ts';

/** Patches by which outliers are found. */
const CANDIDATES = 10_000;

async function drawChannels([sample]: readonly TrainingSample[], layout: InputLayout, input: FitInput) {
  const { params, random } = input;
  if (!sample) return { channels: new Uint32Array(), allChannels: 0 };
  const extractor = await openPatchExtractor(input.backbone, layout, undefined, input.threads);
  try {
    const features = await extractor.extract((await sample.load()).image);
    const allChannels = features.patches.columns;
    const channels = sampleIndices(allChannels, getNumber(params, 'channels'), random);
    checkGridSize(features, channels.length, getNumber(params, 'image_size'));
    return { channels, allChannels };
  } finally {
    await extractor.dispose();
  }
}

const featureMaps = (images: readonly TrainingPatches[]) => images.flatMap(({ featureMap }) => featureMap ?? []);

function learnGrid(input: FitInput, extractor: PatchExtractor) {
  const { params, threads } = input;
  const smoothing = getNumber(params, 'smoothing');
  const prior = getNumber(params, 'prior_images');
  const options = {
    candidates: CANDIDATES,
    rotations: false,
    flips: false,
    dropOutliers: getFlag(params, 'drop_outliers'),
    smoothing,
    falseAlarmRate: getNumber(params, 'false_alarm_rate'),
  };
  return learnByFolds(input, extractor, options, {
    learn: async (images) => learnGaussians(featureMaps(images), prior),
    openScorer: (grid: GaussianGrid) => openGaussianScorer(grid, smoothing, threads),
  });
}

/**
 * Defard et al. 2021 (PaDiM): a Gaussian of some feature channels for every place of the product.
 * @throws VisionError `too_few_images` without a good image, `invalid_value` where `image_size` and `channels` together
 * are too much, `invalid_backbone`, `cancelled`
 */
export async function fitPadim(input: FitInput): Promise<FitResult> {
  const good = goodSamples(input);
  throwIfCancelled(input.signal);
  input.report({ fraction: 0, doing: say('progress.images') });
  const { params, backbone } = input;
  const layout = await commonLayout(good, input, { imageSize: getNumber(params, 'image_size'), tiling: 'off' });
  const { channels, allChannels } = await drawChannels(good, layout, input);
  const extractor = await openPatchExtractor(
    backbone,
    layout,
    channelSelection(channels, allChannels),
    imageThreads(input, layout),
  );
  try {
    const { state: grid, ...learned } = await learnGrid(input, extractor);
    const smoothing = getNumber(params, 'smoothing');
    const corrections = noCorrections(channels.length);
    return { ...learned, payload: encodePadim({ layout, channels, allChannels, grid, smoothing, corrections }) };
  } finally {
    await extractor.dispose();
  }
}
