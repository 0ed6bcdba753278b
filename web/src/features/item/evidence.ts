import type { ModelScores } from '../../../../src/client/shapes.ts';

const nearItems = 40;
const fewestNear = 10;
/** Scores that are farther from each other say nothing about each other: those of a product lie close together. */
const nearDistance = 0.02;

/** What the scores of good images and of judged items say about a score. The item itself does not count. */
export function evidenceOf({ held_out: heldOut, items }: ModelScores, score: number, itemId: string) {
  const judged = items.filter((item) => item.user_result !== null && item.item_id !== itemId);
  const reviewedGood = judged.filter((item) => item.user_result === 'OK').map((item) => item.score);
  const good = [...heldOut.good, ...reviewedGood].sort((one, other) => one - other);
  const near = judged
    .map((item) => ({ isNg: item.user_result === 'NG', distance: Math.abs(item.score - score) }))
    .filter(({ distance }) => distance <= nearDistance)
    .sort((one, other) => one.distance - other.distance)
    .slice(0, nearItems);
  const quantile = (share: number): number => good[Math.round(share * (good.length - 1))] ?? 0;
  return {
    good: good.length,
    /** Good images with a lower score. */
    below: good.filter((one) => one < score).length,
    /** Where the scores of good images lie, but for the extreme ones. */
    band: [quantile(0.02), quantile(0.98)] as const,
    /** Judged items with a score like this; undefined where they are few. */
    similar: near.length < fewestNear ? undefined : { items: near.length, ng: near.filter(({ isNg }) => isNg).length },
  };
}
