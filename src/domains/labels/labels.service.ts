import { type FieldProblem, fieldError, fieldErrors } from '../../errors.ts';
import { say } from '../../messages/message.ts';
import type { Db } from '../../storage/database.ts';
import { foldName } from '../../storage/fold-name.ts';
import type { AuditService } from '../audit/audit.service.ts';
import type { Label, LabelStore } from './label.store.ts';

export type LabelsService = ReturnType<typeof createLabelsService>;

export function createLabelsService(dependencies: { db: Db; audit: AuditService; store: LabelStore }) {
  const { db, audit, store } = dependencies;
  return {
    listLabels: store.listLabels,

    /** Replaces the whole list. @throws AppError `invalid-request` where labels could be taken for one another. */
    async replaceLabels(labels: readonly Label[]): Promise<Label[]> {
      const before = await store.listLabels();
      checkLabels(labels, before);
      await db.transaction().execute(async (trx) => {
        await store.replaceLabels(trx, labels);
        await audit.record(trx, 'labels.change', [{ id: null, details: { before, after: labels } }]);
      });
      return store.listLabels();
    },

    /** The label of a verdict with regions of these classes: the name or number of the most frequent one, else `defect`. */
    async nameVerdict(labels: readonly number[]): Promise<string> {
      const counts = new Map<number, number>();
      for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
      const [most] = [...counts].sort((one, other) => other[1] - one[1] || one[0] - other[0]);
      if (most === undefined) return 'defect';
      const known = (await store.listLabels()).find(({ label }) => label === most[0]);
      return known?.name ?? String(most[0]);
    },
  };
}

/** Labels that are stored already may keep a name that is refused today. */
function checkLabels(labels: readonly Label[], stored: readonly Label[]): void {
  const numbers = new Set<number>();
  const names = new Set<string>();
  const problems: FieldProblem[] = [];
  for (const [index, { label, name }] of labels.entries()) {
    if (numbers.has(label)) throw fieldError('invalid-request', 'labels', say('label.twice', { label }));
    const folded = foldName(name.trim());
    const isStored = stored.some((known) => known.label === label && known.name === name);
    const complain = (problem: FieldProblem['errors'][number]) =>
      problems.push({ key: `labels.${index}.name`, errors: [problem] });
    if (!isStored && folded === foldName('good')) complain(say('label.reserved', { name }));
    if (!isStored && names.has(folded)) complain(say('label.name-twice', { name }));
    numbers.add(label);
    names.add(folded);
  }
  if (problems.length > 0) throw fieldErrors('invalid-request', problems);
}
