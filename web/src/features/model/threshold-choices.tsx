import { Button } from '../../components/button.tsx';
import { inputClass } from '../../components/field.tsx';
import { Card } from '../../components/page.tsx';
import { type MessageKey, percent, t } from '../../i18n/text.ts';
import type { Confusion } from './score-statistics.ts';
import { type ThresholdChoice, type thresholdChoices, upperRate, type Wishes } from './threshold-choice.ts';

interface ThresholdChoicesProps {
  known: ReturnType<typeof thresholdChoices>;
  wishes: Wishes;
  onWishes: (wishes: Wishes) => void;
  onThreshold: (threshold: number) => void;
}

/** Thresholds by what they are to reach. A press moves the line; nothing is saved. */
export function ThresholdChoices({ known, wishes, onWishes, onThreshold }: ThresholdChoicesProps) {
  const { good, ng, choices } = known;
  const aims = {
    noEscape: t('choiceNoEscape', { n: ng }),
    falseAlarms: (
      <label className="flex flex-wrap items-center gap-2">
        {t('choiceFalseAlarms', { n: good })}
        <span className="inline-flex items-center gap-1 whitespace-nowrap">
          <input
            type="number"
            min="0"
            max="100"
            step="any"
            className={`${inputClass} min-h-8! any-pointer-coarse:min-h-11! !w-18`}
            value={Number((100 * wishes.falseAlarmRate).toFixed(6))}
            onChange={({ target }) =>
              onWishes({ ...wishes, falseAlarmRate: Math.max(0, Math.min(100, target.valueAsNumber || 0)) / 100 })
            }
          />
          %
        </span>
      </label>
    ),
    cost: (
      <label className="flex flex-col gap-1">
        {t('choiceCost', { n: wishes.escapeCost })}
        {/* On a scale of powers of ten. */}
        <input
          type="range"
          min="0"
          max="3"
          step="0.1"
          className="h-9 w-full max-w-64 accent-(--accent)"
          value={Math.log10(wishes.escapeCost)}
          aria-valuetext={t('choiceCost', { n: wishes.escapeCost })}
          onChange={({ target }) => onWishes({ ...wishes, escapeCost: Math.round(10 ** target.valueAsNumber) })}
        />
      </label>
    ),
  };
  return (
    <Card title={t('choicesTitle')} className="max-lg:order-1">
      <ul className="flex flex-col gap-4">
        {choices.map(({ aim, mark, threshold, outcome }) => (
          <li key={aim} className="flex items-start gap-3" data-testid={`choice-${aim}`}>
            <ChoiceMark mark={mark} />
            <div className="flex min-w-0 flex-1 flex-col gap-0.5">
              {aims[aim]}
              {outcome && <Reached {...outcome} />}
            </div>
            <Button
              label={threshold === undefined ? '–' : threshold.toFixed(3)}
              title={t('choiceTake')}
              size="small"
              className="tabular-nums"
              disabled={threshold === undefined}
              onClick={() => threshold !== undefined && onThreshold(threshold)}
            />
          </li>
        ))}
      </ul>
      <p className="mt-3 text-[13px] text-ink-soft">{t('intervalHint')}</p>
    </Card>
  );
}

/** The letter that names a threshold here and on the histogram. */
export function ChoiceMark({ mark }: Pick<ThresholdChoice, 'mark'>) {
  return (
    <span className="flex size-5 shrink-0 items-center justify-center rounded-full border border-ink bg-surface text-xs font-semibold">
      {mark}
    </span>
  );
}

/** How often each error happens, and how often it may happen after so few images. */
function Reached({ escapes, found, falseAlarms, passed }: Confusion) {
  const share = (name: MessageKey, count: number, of: number) => (
    <span className="inline-block break-keep">
      {t(name)}: {of === 0 ? '–' : t('upTo', { count, of, rate: percent(upperRate(count, of)) })}
    </span>
  );
  return (
    <p className="flex flex-wrap gap-x-4 text-[13px] text-ink-soft">
      {share('escapeRate', escapes, escapes + found)}
      {share('falseAlarmRate', falseAlarms, falseAlarms + passed)}
    </p>
  );
}
