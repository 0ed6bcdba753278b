import type { JobQueue } from '../../jobs/job-queue.ts';
import { type ListKind, sumCounts } from '../../storage/kept-counts.ts';
import type { createItemView } from '../items/item-view.ts';
import type { ItemsService } from '../items/items.service.ts';
import type { ModelsService } from '../models/models.service.ts';
import type { FiguresStore, RecentVerdict } from './figures.store.ts';

export type OverviewService = ReturnType<typeof createOverviewService>;

const lastVerdicts = 12;
/** The verdicts of a day are counted among this many newest ones. */
const recentVerdicts = 20_000;
const dayMs = 86_400_000;

export function createOverviewService(dependencies: {
  figures: FiguresStore;
  items: ItemsService;
  models: ModelsService;
  queue: JobQueue;
  view: ReturnType<typeof createItemView>;
}) {
  const { figures, items, models, queue } = dependencies;

  /** Of each product that has an active model, or of one: what waits for a person there. */
  const countToReview = async (targetId: number | undefined) => {
    const active = await figures.listActiveModels(targetId);
    const counts = await figures.countKindsOf(active.map(({ model_id }) => model_id));
    return active.map(({ model_id, target_id }) => {
      const count = (matches: (kind: ListKind) => boolean) =>
        sumCounts(counts.filter((kind) => kind.scope === model_id && !kind.training && matches(kind)));
      return {
        target_id,
        model_id,
        ng_unjudged: count(({ person, verdicts }) => person === 'none' && verdicts.includes('NG')),
        disagreements: count(disagrees),
      };
    });
  };

  return {
    /** The state of the inspection, of one product or of all: active model, counts of items and verdicts, work that waits. */
    async getOverview({ since, target_id: targetId }: { since?: string | undefined; target_id?: number | undefined }) {
      const from = since === undefined ? Date.now() - dayMs : Date.parse(since);
      const active = await models.findActiveModel(undefined, targetId);
      const [kinds, toReview, verdicts, inUse, failed, jobs] = await Promise.all([
        figures.countKinds(targetId),
        countToReview(targetId),
        figures.listRecentVerdicts(recentVerdicts, targetId),
        figures.listModelsInUse(),
        figures.countFailed(targetId),
        queue.counts(),
      ]);
      const training = (person: ListKind['person']) =>
        sumCounts(kinds.filter((kind) => kind.training && kind.person === person));
      const inspected = (matches: (kind: ListKind) => boolean) =>
        sumCounts(kinds.filter((kind) => !kind.training && matches(kind)));
      const newest = [...new Set(verdicts.map((verdict) => verdict.item_id))].slice(0, lastVerdicts);
      const last = await items.findDetails(newest);
      return {
        active_model: active ? await models.viewOf(active) : null,
        training: { good: training('OK'), ng: training('NG'), unjudged: training('none') },
        inspected: {
          items: inspected(() => true),
          assessed: inspected(({ verdicts }) => verdicts.length > 0),
          judged: inspected(({ person }) => person !== 'none'),
          ng_unjudged: toReview.reduce((sum, { ng_unjudged }) => sum + ng_unjudged, 0),
          disagreements: toReview.reduce((sum, { disagreements }) => sum + disagreements, 0),
          failed,
        },
        to_review: toReview,
        recent: countRecent(verdicts, inUse, new Date(from).toISOString()),
        queue: {
          waiting: jobs.predict.waiting + jobs.train.waiting,
          running: jobs.predict.running + jobs.train.running,
        },
        last_verdicts: last.map((details) => dependencies.view(details, { assessments: true, annotations: false })),
      };
    },
  };
}

const disagrees = ({ person, verdicts }: ListKind): boolean =>
  person !== 'none' && verdicts.some((verdict) => verdict !== person);

/**
 * The verdicts that the line got: of each item the newest one of a model in use. An item that arrived in this time counts
 * without one, too, by its first verdict: its model may have been replaced since.
 * @param verdicts newest first
 */
function countRecent(verdicts: readonly RecentVerdict[], inUse: ReadonlySet<string>, since: string) {
  const counted = new Map<string, RecentVerdict>();
  for (const verdict of verdicts) {
    if (verdict.predicted_at < since) continue;
    const { item_id, model_id, created_at } = verdict;
    const known = counted.get(item_id);
    if (known && inUse.has(known.model_id)) continue;
    if (inUse.has(model_id) || created_at >= since) counted.set(item_id, verdict);
  }
  const ok = [...counted.values()].filter(({ result }) => result === 'OK').length;
  return { ok, ng: counted.size - ok };
}
