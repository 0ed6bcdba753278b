import type { RetentionRuleRow } from '../../storage/database.ts';
import type { RetainedVerdict } from '../../storage/kept-counts.ts';
import { YOUNG_MS } from '../../storage/sweep.ts';
import type { DuePick, Step } from './due-items.store.ts';

export const dayMs = 86_400_000;

const verdicts = ['OK', 'NG', 'unjudged'] as const;

export const imageDays = (rule: RetentionRuleRow): Record<RetainedVerdict, number | null> => ({
  OK: rule.ok_days,
  NG: rule.ng_days,
  unjudged: rule.unjudged_days,
});

export const whenShort = (rule: RetentionRuleRow): RetainedVerdict[] =>
  JSON.parse(rule.when_short) as RetainedVerdict[];

const before = (now: number, days: number): string => new Date(now - days * dayMs).toISOString();

/** What goes because its days are over at `now`: records with all that is theirs, then images of other items. */
export function stepsByAge(rules: readonly RetentionRuleRow[], now: number): Step[] {
  const records = rules.flatMap((rule): DuePick[] =>
    rule.record_days === null ? [] : [{ rule, before: before(now, rule.record_days) }],
  );
  const images = rules.flatMap((rule) =>
    verdicts.flatMap((verdict): DuePick[] => {
      const days = imageDays(rule)[verdict];
      if (days === null || days === rule.record_days) return [];
      const from = rule.record_days === null ? undefined : before(now, rule.record_days);
      return [{ rule, verdict, from, before: before(now, days) }];
    }),
  );
  return [
    { reason: 'records', picks: records },
    { reason: 'images', picks: images },
  ];
}

/** What may go before its time: the first verdicts of all rules, then the second ones, then the third ones. */
export function stepsForSpace(rules: readonly RetentionRuleRow[], now: number): Step[] {
  // A blob younger than this cannot be deleted yet.
  const youngest = new Date(now - YOUNG_MS).toISOString();
  return verdicts.map((_, rank) => ({
    reason: 'space',
    picks: rules.flatMap((rule): DuePick[] => {
      const verdict = whenShort(rule)[rank];
      if (verdict === undefined) return [];
      const days = imageDays(rule)[verdict] ?? rule.record_days;
      const from = days === null ? undefined : before(now, days);
      return [{ rule, verdict, from, before: youngest }];
    }),
  }));
}
