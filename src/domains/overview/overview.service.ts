import type { JobQueue } from '../../jobs/job-queue.ts';
import type { createItemView } from '../items/item-view.ts';
import type { ItemsService } from '../items/items.service.ts';
import type { ModelsService } from '../models/models.service.ts';
import type { OverviewView } from './overview.schemas.ts';
import type { OverviewStore } from './overview.store.ts';

export interface OverviewService {
  /** What stands where: models, items, verdicts and work. */
  getOverview(since: string | undefined): Promise<OverviewView>;
}

const lastVerdicts = 12;
const dayMs = 86_400_000;

export function createOverviewService(parts: {
  store: OverviewStore;
  items: ItemsService;
  models: ModelsService;
  queue: JobQueue;
  view: ReturnType<typeof createItemView>;
}): OverviewService {
  const { store, items, models, queue } = parts;
  return {
    async getOverview(since) {
      const from = since === undefined ? Date.now() - dayMs : Date.parse(since);
      const [counts, verdicts, recent, disagreements, lastIds, active, jobs] = await Promise.all([
        store.countItems(),
        store.countVerdicts(undefined),
        store.countVerdicts(new Date(from).toISOString()),
        store.countDisagreements(),
        store.listLastItemIds(lastVerdicts),
        models.findActiveModel(),
        queue.counts(),
      ]);
      const count = (training: number, matches: (result: 'OK' | 'NG' | null) => boolean): number =>
        counts
          .filter((row) => row.is_training === training && matches(row.user_result))
          .reduce((sum, row) => sum + row.count, 0);
      const last = await items.findDetails(lastIds);
      return {
        active_model: active ? await models.viewOf(active) : null,
        training: {
          good: count(1, (result) => result === 'OK'),
          ng: count(1, (result) => result === 'NG'),
          unjudged: count(1, (result) => result === null),
        },
        inspected: {
          items: count(0, () => true),
          ...verdicts,
          judged: count(0, (result) => result !== null),
          disagreements,
          failed: counts.filter((row) => row.is_training === 0).reduce((sum, row) => sum + row.failed, 0),
        },
        recent,
        queue: {
          waiting: jobs.predict.waiting + jobs.train.waiting,
          running: jobs.predict.running + jobs.train.running,
        },
        last_verdicts: last.map((details) => parts.view(details, { assessments: true, annotations: false })),
      };
    },
  };
}
