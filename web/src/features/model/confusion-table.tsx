import { classNames } from '../../components/class-names.ts';
import { useText } from '../../i18n/use-text.ts';
import type { Confusion } from './threshold-effect.ts';

/** Two by two; the two that hurt are marked, and compared with the saved threshold. */
export function ConfusionTable({ confusion, saved }: { confusion: Confusion; saved: Confusion }) {
  const t = useText();
  return (
    <table className="w-full text-center" data-testid="confusion">
      <caption className="sr-only">{t('confusionCaption')}</caption>
      <thead className="text-[13px] text-ink-soft">
        <tr>
          <td />
          <th scope="col" className="p-1 font-medium">
            {t('saysOk')}
          </th>
          <th scope="col" className="p-1 font-medium">
            {t('saysNg')}
          </th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row" className="p-1 text-left text-[13px] font-medium text-ink-soft">
            {t('isGood')}
          </th>
          <Cell count={confusion.passed} label={t('cellRight')} />
          <Cell count={confusion.falseAlarms} before={saved.falseAlarms} label={t('cellFalseAlarm')} tone="warn" />
        </tr>
        <tr>
          <th scope="row" className="p-1 text-left text-[13px] font-medium text-ink-soft">
            {t('isNg')}
          </th>
          <Cell count={confusion.escapes} before={saved.escapes} label={t('cellEscape')} tone="ng" />
          <Cell count={confusion.found} label={t('cellRight')} />
        </tr>
      </tbody>
    </table>
  );
}

interface CellProps {
  count: number;
  label: string;
  before?: number;
  tone?: 'warn' | 'ng';
}

function Cell({ count, label, before, tone }: CellProps) {
  const t = useText();
  const delta = before === undefined ? 0 : count - before;
  const bad = tone !== undefined && count > 0;
  return (
    <td
      className={classNames(
        'border border-line p-2',
        bad && tone === 'ng' && 'bg-ng-soft text-ng',
        bad && tone === 'warn' && 'bg-warn-soft text-warn',
      )}
    >
      <span className="block text-2xl font-semibold">
        {count}
        {delta !== 0 && (
          <span className="ml-1 text-sm" title={t('deltaToSaved', { delta: signed(delta) })}>
            {signed(delta)}
          </span>
        )}
      </span>
      <span className="block text-xs">{label}</span>
    </td>
  );
}

const signed = (value: number): string => (value > 0 ? `+${value}` : `−${-value}`);
