import { uuidv7 } from 'uuidv7';
import { currentCaller } from '../../caller.ts';
import { AppError, type FieldProblem, fieldError, fieldErrors } from '../../errors.ts';
import type { JobQueue } from '../../jobs/job-queue.ts';
import { say, statusView, storeMessages } from '../../messages/message.ts';
import type { Db, RetentionRuleRow, RetentionRunRow, Trx } from '../../storage/database.ts';
import type { SettingsStore } from '../../storage/settings.store.ts';
import { listNames } from '../../vision/engine-messages.ts';
import type { AuditService } from '../audit/audit.service.ts';
import type { createItemView } from '../items/item-view.ts';
import type { ItemsService } from '../items/items.service.ts';
import { lastDailyTime, nextDailyTime } from './daily-time.ts';
import type { DiskRoom, Room } from './disk-room.ts';
import type { DueItemStore } from './due-items.store.ts';
import { previewRemovals } from './preview-removals.ts';
import { dayMs, imageDays, whenShort } from './removal-steps.ts';
import { newRun, shortKey } from './remove-due.ts';
import type {
  HoldFilterInput,
  HoldView,
  NewHoldInput,
  NewRetentionRuleInput,
  RemovedPartView,
  RetentionPreviewInput,
  RetentionPreviewView,
  RetentionRuleChangesInput,
  RetentionRuleView,
  RetentionRunView,
  RetentionSettingsInput,
  RetentionSettingsValues,
  RetentionStateView,
} from './retention.schemas.ts';
import type { RetentionStore } from './retention.store.ts';

export type RetentionService = ReturnType<typeof createRetentionService>;

/** The room and the rate change slowly, and are asked for often. */
const keepRateMs = 60_000;

export function createRetentionService(dependencies: {
  db: Db;
  audit: AuditService;
  store: RetentionStore;
  due: DueItemStore;
  room: DiskRoom;
  settings: SettingsStore;
  items: ItemsService;
  view: ReturnType<typeof createItemView>;
  queue: JobQueue;
}) {
  const { db, audit, store, due, room, settings, items, queue } = dependencies;

  const requireRule = async (id: string): Promise<RetentionRuleRow> => {
    const rule = await store.findRule(id);
    if (!rule) throw new AppError('retention-not-found', { id });
    return rule;
  };

  /** @throws AppError that names every setting that contradicts another one. */
  const checkRule = (rule: RetentionRuleRow, others: readonly RetentionRuleRow[]): void => {
    const problems: FieldProblem[] = [];
    const complain = (key: string, error: FieldProblem['errors'][number]) => problems.push({ key, errors: [error] });
    if (others.some(({ name }) => name === rule.name))
      complain('name', say('retention.name-taken', { name: rule.name }));
    const everywhere = others.find((other) => other.everywhere === 1);
    if (rule.everywhere === 1 && everywhere)
      complain('everywhere', say('retention.everywhere-taken', { name: everywhere.name }));
    for (const [verdict, days] of Object.entries(imageDays(rule))) {
      if (days === null || rule.record_days === null || days <= rule.record_days) continue;
      const values = { days, record: rule.record_days };
      complain(`image_days.${verdict}`, say('retention.longer-than-record', values));
    }
    const short = whenShort(rule);
    if (new Set(short).size < short.length) complain('when_short', say('retention.verdict-twice'));
    if (problems.length > 0) throw fieldErrors('invalid-request', problems);
  };

  const viewRule = async (rule: RetentionRuleRow): Promise<RetentionRuleView> => ({
    retention_id: rule.retention_id,
    name: rule.name,
    everywhere: rule.everywhere === 1,
    image_days: imageDays(rule),
    record_days: rule.record_days,
    keep_thumbnails: rule.keep_thumbnails === 1,
    when_short: whenShort(rule),
    station_ids: (await store.listStations())
      .filter((station) => station.retention_id === rule.retention_id)
      .map((station) => station.station_id),
    created_at: rule.created_at,
    updated_at: rule.updated_at,
  });

  const isDailyDue = async (): Promise<boolean> => {
    if ((await store.listRules()).length === 0) return false;
    const { daily_at } = await room.readSettings();
    return !(await store.hasDailyRunSince(lastDailyTime(new Date(), daily_at).toISOString()));
  };

  const enqueue = async (trx: Db | Trx): Promise<void> => {
    await queue.enqueue(trx, { kind: 'retain', payload: {}, key: 'retain' });
  };

  let rates: { at: number; values: Promise<{ added: number; removed: number }> } | undefined;
  const readRates = (): Promise<{ added: number; removed: number }> => {
    const now = Date.now();
    if (rates && Math.abs(now - rates.at) < keepRateMs) return rates.values;
    const read = async () => {
      const runs = await store.listRunsSince(new Date(now - dayMs).toISOString());
      const parts = runs.flatMap((run) => JSON.parse(run.removed) as RemovedPartView[]);
      const byAge = parts.filter(({ reason }) => reason !== 'space');
      return {
        added: Math.round(await due.countAddedBytes(now)),
        removed: byAge.reduce((sum, part) => sum + part.bytes, 0),
      };
    };
    rates = { at: now, values: read() };
    rates.values.catch(() => {
      rates = undefined;
    });
    return rates.values;
  };

  const describeDisk = async ({ total, free, floor }: Room): Promise<RetentionStateView['disk']> => {
    const { added, removed } = await readRates();
    const growth = added - removed;
    return {
      total_bytes: total,
      free_bytes: free,
      floor_bytes: floor === 0 ? null : floor,
      added_bytes_per_day: added,
      removed_bytes_per_day: removed,
      days_until_full: growth > 0 ? Math.round((10 * Math.max(0, free - floor)) / growth) / 10 : null,
    };
  };

  /** Whether the disk is short and the last run found nothing that may be removed. */
  const refusesUploads = async (measured: Room | undefined): Promise<boolean> =>
    measured !== undefined && measured.free < measured.floor && ((await settings.findSetting(shortKey)) ?? '') !== '';

  const readState = async (): Promise<RetentionStateView> => {
    const values = await room.readSettings();
    const [measured, [last], rules] = await Promise.all([room.measure(values), store.listRuns(1), store.listRules()]);
    const refuses = await refusesUploads(measured);
    const next = rules.length === 0 ? null : nextDailyTime(new Date(), values.daily_at).toISOString();
    return {
      settings: values,
      disk: measured ? await describeDisk(measured) : null,
      refuses_uploads: refuses,
      ...statusView(refuses ? storeMessages([say('retention.short')]) : null),
      last_run: last ? viewRun(last) : null,
      next_daily_at: next,
    };
  };

  const toRow = (input: RetentionRuleChangesInput, rule: RetentionRuleRow): RetentionRuleRow => ({
    ...rule,
    name: input.name?.trim() ?? rule.name,
    everywhere: input.everywhere === undefined ? rule.everywhere : Number(input.everywhere),
    ok_days: input.image_days === undefined ? rule.ok_days : input.image_days.OK,
    ng_days: input.image_days === undefined ? rule.ng_days : input.image_days.NG,
    unjudged_days: input.image_days === undefined ? rule.unjudged_days : input.image_days.unjudged,
    record_days: input.record_days === undefined ? rule.record_days : input.record_days,
    keep_thumbnails: input.keep_thumbnails === undefined ? rule.keep_thumbnails : Number(input.keep_thumbnails),
    when_short: input.when_short === undefined ? rule.when_short : JSON.stringify(input.when_short),
    updated_at: new Date().toISOString(),
  });

  const emptyRule = (id: string): RetentionRuleRow => {
    const now = new Date().toISOString();
    const days = { ok_days: null, ng_days: null, unjudged_days: null, record_days: null };
    const rest = { keep_thumbnails: 1, when_short: '[]', created_at: now, updated_at: now };
    return { retention_id: id, name: '', everywhere: 0, ...days, ...rest };
  };

  const viewHold = async (hold: Awaited<ReturnType<RetentionStore['listHolds']>>[number]): Promise<HoldView> => ({
    hold_id: hold.hold_id,
    reason: hold.reason,
    filter: hold.filter === null ? null : (JSON.parse(hold.filter) as HoldFilterInput),
    items: await due.countHeld(hold),
    created_at: hold.created_at,
  });

  return {
    isDailyDue,
    refusesUploads,
    readState,

    /** For the metrics. */
    async readFigures() {
      const [sums, { disk, last_run: last }] = await Promise.all([store.sumRuns(), readState()]);
      return {
        ...sums,
        lastRunAt: last?.ended_at ? Date.parse(last.ended_at) / 1000 : undefined,
        freeBytes: disk?.free_bytes,
        daysUntilFull: disk ? (disk.days_until_full ?? Number.POSITIVE_INFINITY) : undefined,
      };
    },

    /** Starts a run unless one waits or works; the run finds out what it is for. */
    async requestRun(): Promise<void> {
      if (await queue.hasOpen(db, ['retain'])) return;
      await enqueue(db);
      queue.wake();
    },

    listRules: async (): Promise<RetentionRuleView[]> => Promise.all((await store.listRules()).map(viewRule)),
    getRule: async (id: string): Promise<RetentionRuleView> => viewRule(await requireRule(id)),

    /** @throws AppError where a station names a rule that is not there. */
    async checkNamed(id: string): Promise<void> {
      if (!(await store.findRule(id))) throw fieldError('invalid-request', 'retention_id', say('retention.missing'));
    },

    async createRule(input: NewRetentionRuleInput): Promise<RetentionRuleView> {
      const rule = toRow(input, emptyRule(uuidv7()));
      checkRule(rule, await store.listRules());
      await db.transaction().execute(async (trx) => {
        await store.insertRule(trx, rule);
        await audit.record(trx, 'retention.add', [{ id: rule.retention_id, details: ruleDetails(rule) }]);
      });
      return viewRule(rule);
    },

    /** What is not sent stays as it is. */
    async updateRule(id: string, input: RetentionRuleChangesInput): Promise<RetentionRuleView> {
      const rule = toRow(input, await requireRule(id));
      const others = (await store.listRules()).filter((other) => other.retention_id !== id);
      checkRule(rule, others);
      await db.transaction().execute(async (trx) => {
        await store.updateRule(trx, id, rule);
        await audit.record(trx, 'retention.change', [{ id, details: ruleDetails(rule) }]);
      });
      return viewRule(rule);
    },

    /** @throws AppError while a station names it: the images of that station would fall under another rule. */
    async deleteRule(id: string): Promise<string> {
      const { name } = await requireRule(id);
      await db.transaction().execute(async (trx) => {
        const users = (await store.listStations(trx)).filter((station) => station.retention_id === id);
        if (users.length > 0) {
          const stations = users.map((station) => station.name);
          throw new AppError('retention-in-use', { name, stations: listNames(stations, 3) });
        }
        await store.deleteRule(trx, id);
        await audit.record(trx, 'retention.delete', [{ id, details: { name } }]);
      });
      return id;
    },

    /** @throws AppError naming the setting that contradicts another one, or the disk. */
    async changeSettings(input: RetentionSettingsInput): Promise<RetentionStateView> {
      const values: RetentionSettingsValues = { ...(await room.readSettings()), ...input };
      if (values.min_free_bytes !== null && values.min_free_percent !== null)
        throw fieldError('invalid-request', 'min_free_percent', say('field.not-with', { other: 'min_free_bytes' }));
      const measured = await room.measure(values);
      if (!measured && (values.min_free_bytes !== null || values.min_free_percent !== null))
        throw fieldError('invalid-request', 'capacity_bytes', say('retention.no-capacity'));
      if (measured && measured.floor >= measured.total) {
        const numbers = { floor: measured.floor, total: measured.total };
        throw fieldError('invalid-request', 'min_free_bytes', say('retention.floor-too-high', numbers));
      }
      await db.transaction().execute(async (trx) => {
        await room.saveSettings(trx, values);
        await audit.record(trx, 'retention.settings', [{ id: null, details: values }]);
      });
      return readState();
    },

    /** What a run would remove at this moment, by the saved rules, or with a rule that is not saved yet. */
    async preview({ retention_id: id, rule: draft }: RetentionPreviewInput): Promise<RetentionPreviewView> {
      const saved = id === undefined ? undefined : await requireRule(id);
      const others = (await store.listRules()).filter((rule) => rule.retention_id !== id);
      const given = draft && toRow(draft, saved ?? emptyRule('not saved'));
      if (given) checkRule(given, others);
      const chosen = given ?? saved;
      return previewRemovals(dependencies, chosen ? [...others, chosen] : others);
    },

    async startRun(): Promise<RetentionRunView> {
      const open = await store.findOpenRun();
      if (open) return viewRun(open);
      const run = newRun('request', 'waiting', (await room.measure())?.free);
      await db.transaction().execute(async (trx) => {
        await store.insertRun(trx, run);
        await enqueue(trx);
        await audit.record(trx, 'retention.start', [{ id: run.run_id }]);
      });
      queue.wake();
      return viewRun(run);
    },

    async listRuns(count: number, page: number) {
      const [runs, total] = await Promise.all([store.listRuns(count, (page - 1) * count), store.countRuns()]);
      return { runs: runs.map(viewRun), total };
    },

    listHolds: async (): Promise<HoldView[]> => Promise.all((await store.listHolds()).map(viewHold)),

    /** Once this is answered, no run removes what is held. */
    async createHold({ reason, filter, item_ids: itemIds }: NewHoldInput): Promise<HoldView> {
      if ((filter === undefined) === (itemIds === undefined))
        throw fieldError('invalid-request', 'item_ids', say('hold.one-of'));
      if (filter !== undefined && Object.keys(filter).length === 0)
        throw fieldError('invalid-request', 'filter', say('field.empty'));
      const hold = {
        hold_id: uuidv7(),
        reason: reason.trim(),
        filter: filter === undefined ? null : JSON.stringify(filter),
        created_at: new Date().toISOString(),
      };
      await db.transaction().execute(async (trx) => {
        await due.excludeOthers(trx);
        const distinct = [...new Set(itemIds ?? [])];
        await items.requireItems(distinct, trx);
        await store.insertHold(trx, hold, distinct);
        const details = { reason: hold.reason, filter, items: distinct };
        // It carries a reason anyway.
        const caller = { ...currentCaller(), reason: currentCaller().reason ?? hold.reason };
        await audit.record(trx, 'hold.add', [{ id: hold.hold_id, details }], caller);
      });
      return viewHold(hold);
    },

    async deleteHold(id: string): Promise<string> {
      await db.transaction().execute(async (trx) => {
        const deleted = await store.deleteHold(trx, id);
        if (!deleted) throw new AppError('hold-not-found', { id });
        await audit.record(trx, 'hold.release', [{ id, details: { reason: deleted.reason } }]);
      });
      return id;
    },

    /** Called in the transaction of a deletion. @throws AppError `item-held`. */
    async refuseHeld(trx: Trx, itemIds: readonly string[]): Promise<void> {
      await due.excludeOthers(trx);
      const held = await due.listHeld(trx, itemIds, 50);
      if (held.length === 0) return;
      const problems = held.map((key) => ({ key, errors: [say('item.held')] }));
      throw new AppError('item-held', { ids: listNames(held, 3) }, { problems });
    },
  };
}

const ruleDetails = ({ created_at, updated_at, ...rule }: RetentionRuleRow) => rule;

export function viewRun({ removed, status_text: text, ...run }: RetentionRunRow): RetentionRunView {
  return { ...run, removed: JSON.parse(removed) as RemovedPartView[], ...statusView(text) };
}
