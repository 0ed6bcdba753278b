import type { JobQueue } from '../../jobs/job-queue.ts';
import { type ListKind, sumCounts } from '../../storage/kept-counts.ts';
import type { createItemView } from '../items/item-view.ts';
import type { ItemsService } from '../items/items.service.ts';
import type { ModelsService } from '../models/models.service.ts';
import type { FiguresStore } from './figures.store.ts';

export type OverviewService = ReturnType<typeof createOverviewService>;

const lastVerdicts = 12;
/** The items that were inspected last are looked for among this many newest verdicts. */
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
      const [kinds, toReview, newest, recent, failed, jobs] = await Promise.all([
        figures.countKinds(targetId),
        countToReview(targetId),
        figures.listRecentItems(lastVerdicts, recentVerdicts, targetId),
        figures.countFirstVerdicts(new Date(from).toISOString(), targetId),
        figures.countFailed(targetId),
        queue.counts(),
      ]);
      const training = (person: ListKind['person']) =>
        sumCounts(kinds.filter((kind) => kind.training && kind.person === person));
      const inspected = (matches: (kind: ListKind) => boolean) =>
        sumCounts(kinds.filter((kind) => !kind.training && matches(kind)));
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
        recent,
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
