import type { RetentionRuleRow } from '../../storage/database.ts';
import type { createItemView } from '../items/item-view.ts';
import type { ItemsService } from '../items/items.service.ts';
import type { DiskRoom } from './disk-room.ts';
import type { DueItem, DueItemStore, Step } from './due-items.store.ts';
import { dayMs, stepsByAge, stepsForSpace } from './removal-steps.ts';
import { cutAt, missingBytes } from './remove-due.ts';
import { addRemoved, sumRemoved } from './removed-parts.ts';
import type { RemovedPartView, RetentionPreviewView } from './retention.schemas.ts';

const itemsAtOnce = 1000;
const mostExamples = 12;
const agesInDays = [0, 1, 7, 30, 90, 365] as const;

/** Walks through the steps of a run at this moment and removes nothing. */
export async function previewRemovals(
  dependencies: {
    due: DueItemStore;
    room: DiskRoom;
    items: ItemsService;
    view: ReturnType<typeof createItemView>;
  },
  rules: readonly RetentionRuleRow[],
): Promise<RetentionPreviewView> {
  const { due, room, items } = dependencies;
  const now = Date.now();
  const ages = agesInDays.map((from, index) => ({
    from_days: from as number,
    to_days: (agesInDays[index + 1] as number | undefined) ?? null,
    items: 0,
    bytes: 0,
  }));
  let parts: RemovedPartView[] = [];
  const examples: string[] = [];

  const walk = async (step: Step, wanted: number): Promise<number> => {
    let bytes = 0;
    let last: DueItem | undefined;
    while (bytes < wanted && step.picks.length > 0) {
      const found = await due.listDue(step, last, itemsAtOnce);
      if (!last) examples.push(...found.slice(0, 4).map(({ itemId }) => itemId));
      last = found.at(-1);
      if (!last) break;
      const cut = cutAt(found, wanted - bytes);
      parts = addRemoved(parts, step.reason, cut);
      for (const item of cut) {
        bytes += item.bytes;
        const age = (now - Date.parse(item.createdAt)) / dayMs;
        const bucket = ages.findLast(({ from_days }) => age >= from_days);
        if (bucket) Object.assign(bucket, { items: bucket.items + 1, bytes: bucket.bytes + item.bytes });
      }
    }
    return bytes;
  };

  for (const step of stepsByAge(rules, now)) await walk(step, Number.POSITIVE_INFINITY);
  const measured = await room.measure();
  const byAge = sumRemoved(parts).bytes;
  let missing = measured ? missingBytes({ ...measured, free: measured.free + byAge }) : 0;
  for (const step of stepsForSpace(rules, now)) if (missing > 0) missing -= await walk(step, missing);
  const shown = await items.findDetails(examples.slice(0, mostExamples));
  return {
    as_of: new Date(now).toISOString(),
    ...sumRemoved(parts),
    removed: parts,
    by_age: ages,
    examples: shown.map((details) => dependencies.view(details, { assessments: true, annotations: false })),
    missing_bytes: Math.max(0, missing),
  };
}
