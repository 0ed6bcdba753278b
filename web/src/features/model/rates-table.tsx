import { DataTable } from '../../components/data-table.tsx';
import type { MessageKey } from '../../i18n/messages/index.ts';
import { useText } from '../../i18n/use-text.ts';
import type { Rates } from './threshold-effect.ts';

const rows: readonly [keyof Rates, MessageKey][] = [
  ['falseAlarmRate', 'falseAlarmRate'],
  ['escapeRate', 'escapeRate'],
  ['precision', 'precision'],
  ['recall', 'recall'],
  ['accuracy', 'accuracy'],
];

export const percent = (rate: number | null | undefined): string =>
  rate === null || rate === undefined ? '–' : `${(100 * rate).toFixed(1)} %`;

/** What training promised beside what people's verdicts show. */
export function RatesTable({ projected, computed }: { projected: Rates; computed: Rates }) {
  const t = useText();
  const title = (name: MessageKey, hint: MessageKey) => (
    <>
      {t(name)}
      <span className="block text-xs font-normal whitespace-normal">{t(hint)}</span>
    </>
  );
  return (
    <DataTable
      caption={t('projectedComputed')}
      columns={[
        { title: t('measure'), cell: ([, label]) => t(label) },
        { title: title('projected', 'projectedHint'), numeric: true, cell: ([key]) => percent(projected[key]) },
        { title: title('computed', 'computedHint'), numeric: true, cell: ([key]) => percent(computed[key]) },
      ]}
      rows={rows}
      rowKey={([key]) => key}
    />
  );
}
