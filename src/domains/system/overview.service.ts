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
  return {
    /** The state of the inspection, of one product or of all: active model, counts of items and verdicts, work that waits. */
    async getOverview({ since, target_id: targetId }: { since?: string | undefined; target_id?: number | undefined }) {
      const from = since === undefined ? Date.now() - dayMs : Date.parse(since);
      const active = await models.findActiveModel(undefined, targetId);
      const [kinds, byActive, verdicts, jobs] = await Promise.all([
        figures.countKinds(targetId),
        active ? figures.countKindsOf(active.model_id) : [],
        figures.listRecentVerdicts(recentVerdicts, targetId),
        queue.counts(),
      ]);
      const training = (person: ListKind['person']) =>
        sumCounts(kinds.filter((kind) => kind.training && kind.person === person));
      const inspected = (matches: (kind: ListKind) => boolean) =>
        sumCounts(kinds.filter((kind) => !kind.training && matches(kind)));
      const byActiveModel = (matches: (kind: ListKind) => boolean) =>
        sumCounts(byActive.filter((kind) => !kind.training && matches(kind)));
      const newest = newestOfEachItem(verdicts);
      const last = await items.findDetails(newest.slice(0, lastVerdicts).map((verdict) => verdict.item_id));
      return {
        active_model: active ? await models.viewOf(active) : null,
        training: { good: training('OK'), ng: training('NG'), unjudged: training('none') },
        inspected: {
          items: inspected(() => true),
          assessed: inspected(({ verdicts }) => verdicts.length > 0),
          judged: inspected(({ person }) => person !== 'none'),
          ng_unjudged: byActiveModel(({ person, verdicts }) => person === 'none' && verdicts.includes('NG')),
          disagreements: byActiveModel(disagrees),
          failed: jobs.predict.failed,
        },
        recent: countRecent(newest, new Date(from).toISOString()),
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

/** The newest verdict of each item. */
function newestOfEachItem(verdicts: readonly RecentVerdict[]): RecentVerdict[] {
  const newest = new Map<string, RecentVerdict>();
  for (const verdict of verdicts) if (!newest.has(verdict.item_id)) newest.set(verdict.item_id, verdict);
  return [...newest.values()];
}

function countRecent(newest: readonly RecentVerdict[], since: string): { ok: number; ng: number } {
  const recent = newest.filter((verdict) => verdict.predicted_at >= since);
  const ok = recent.filter((verdict) => verdict.result === 'OK').length;
  return { ok, ng: recent.length - ok };
}
