import { smoothedScorer } from '../../anomaly-map/map-scorer.ts';
import { noCorrections } from '../../corrections/correction-patches.ts';
import { sampleIndices } from '../../math/random.ts';
import { type FitInput, type FitResult, getNumber, goodSamples } from '../../training/fit-input.ts';
import { learnByFolds } from '../../training/learn-by-folds.ts';
import { type PlainTraining, withTraining } from '../../training/with-training.ts';
import { checkGridSize, learnGaussians, openGaussianMeasure } from './gaussian-grid.ts';
import { channelSelection, encodePadim } from './model.ts';

/** Patches by which outliers are found. */
const CANDIDATES = 10_000;

/**
 * Defard et al. 2021 (PaDiM): a Gaussian of some feature channels for every place of the product.
 * @throws VisionError `too_few_images` without a good image, `invalid_value` where `image_size` and `channels` together
 * are too much, `invalid_backbone`, `cancelled`
 */
export async function fitPadim(input: FitInput): Promise<FitResult> {
  const { params, random, threads } = input;
  const samples = goodSamples(input);
  let channels: Uint32Array = new Uint32Array();
  const drawChannels = async ({ extractor }: PlainTraining) => {
    const features = await extractor.extract((await samples[0]!.load()).image);
    const allChannels = features.patches.columns;
    channels = sampleIndices(allChannels, getNumber(params, 'channels'), random);
    checkGridSize(features, channels.length, getNumber(params, 'image_size'));
    return channelSelection(channels, allChannels);
  };
  return withTraining(input, samples, { learnProjection: drawChannels }, async (training) => {
    const { layout, projection, smoothing } = training;
    const prior = getNumber(params, 'prior_images');
    const options = { candidates: CANDIDATES, copies: [] };
    const { state: grid, ...learned } = await learnByFolds(training, options, {
      learn: async (images) =>
        learnGaussians(
          images.flatMap(({ featureMap }) => featureMap ?? []),
          prior,
        ),
      openScorer: async (gaussians) => smoothedScorer(await openGaussianMeasure(gaussians, false, threads), smoothing),
    });
    const corrections = noCorrections(channels.length);
    const state = { layout, channels, allChannels: projection.rows, grid, smoothing, corrections };
    return { ...learned, payload: encodePadim(state) };
  });
}
