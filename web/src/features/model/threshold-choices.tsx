import { useMemo, useState } from 'react';
import type { ModelScores } from '../../../../src/client/shapes.ts';
import { Button } from '../../components/button.tsx';
import { inputClass } from '../../components/field.tsx';
import { Card } from '../../components/page.tsx';
import { t } from '../../i18n/text.ts';
import { cheapestThreshold, falseAlarmThreshold, noEscapeThreshold } from './threshold-choice.ts';

interface ThresholdChoicesProps {
  scores: ModelScores;
  onThreshold: (threshold: number) => void;
}

/** Thresholds by what they are to reach. A press moves the line; nothing is saved. */
export function ThresholdChoices({ scores, onThreshold }: ThresholdChoicesProps) {
  const [rate, setRate] = useState(1);
  // The cost on a scale of powers of ten.
  const [power, setPower] = useState(1);
  const escapeCost = Math.round(10 ** power);
  const { good, ng } = useMemo(() => {
    const judged = (verdict: string) =>
      scores.items.filter((item) => item.user_result === verdict).map((item) => item.score);
    return {
      good: [...scores.held_out.good, ...judged('OK')],
      ng: [...scores.held_out.ng, ...judged('NG')],
    };
  }, [scores]);
  const cheapest = useMemo(() => cheapestThreshold(good, ng, escapeCost), [good, ng, escapeCost]);
  const choice = (threshold: number | undefined) => (
    <Button
      label={threshold === undefined ? '–' : threshold.toFixed(3)}
      size="small"
      className="tabular-nums"
      disabled={threshold === undefined}
      onClick={() => threshold !== undefined && onThreshold(threshold)}
    />
  );
  return (
    <Card title={t('choicesTitle')} className="max-lg:order-1">
      <div className="flex flex-col gap-3">
        <div className="flex items-center justify-between gap-3">
          <span>{t('choiceNoEscape', { n: ng.length })}</span>
          {choice(noEscapeThreshold(ng))}
        </div>
        <div className="flex items-center justify-between gap-3">
          <label className="flex flex-wrap items-center gap-2">
            {t('choiceFalseAlarms', { n: good.length })}
            <span className="inline-flex items-center gap-1 whitespace-nowrap">
              <input
                type="number"
                min="0"
                max="100"
                step="any"
                className={`${inputClass} !min-h-8 !w-18`}
                value={rate}
                onChange={({ target }) => setRate(Math.max(0, Math.min(100, target.valueAsNumber || 0)))}
              />
              %
            </span>
          </label>
          {choice(falseAlarmThreshold(good, rate / 100))}
        </div>
        <div className="flex items-center justify-between gap-3">
          <label className="flex min-w-0 flex-1 flex-col gap-1">
            {t('choiceCost', { n: escapeCost })}
            <input
              type="range"
              min="0"
              max="3"
              step="0.1"
              className="h-9 w-full max-w-64 accent-(--accent)"
              value={power}
              onChange={({ target }) => setPower(target.valueAsNumber)}
            />
          </label>
          {choice(cheapest)}
        </div>
      </div>
    </Card>
  );
}
