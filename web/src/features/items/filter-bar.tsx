import { type SyntheticEvent, useEffect, useRef, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { classNames } from '../../components/class-names.ts';
import { Checkbox, CompactSelect, inputClass } from '../../components/field.tsx';
import { t } from '../../i18n/text.ts';
import { useModels } from '../model/use-models.ts';
import { type FilterKey, isNarrowed } from './item-filter.ts';

interface FilterBarProps {
  query: URLSearchParams;
  onChange: (key: FilterKey, value: string) => void;
  onClear: () => void;
}

export function FilterBar(props: FilterBarProps) {
  const [open, setOpen] = useState(isNarrowed(props.query));
  return (
    <search aria-label={t('filters')}>
      <Button
        label={t('filters')}
        size="small"
        className="md:hidden"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      />
      <div className={classNames('flex flex-wrap items-center gap-2 max-md:pt-2', !open && 'max-md:hidden')}>
        <FilterFields {...props} />
      </div>
    </search>
  );
}

function FilterFields({ query, onChange, onClear }: FilterBarProps) {
  const inspection = query.get('type') === 'prediction';
  const { ready, labelOf } = useModels();
  return (
    <>
      {inspection && <VerdictSelect label={t('filterVerdict')} name="result" query={query} onChange={onChange} />}
      <VerdictSelect label={t('filterUser')} name="user_result" query={query} onChange={onChange} withNone />
      <CompactSelect
        label={t('filterModel')}
        value={query.get('model_id') ?? ''}
        options={[['', t('filterAllModels')], ...ready.map((model) => [model.model_id, labelOf(model)] as const)]}
        onChange={(value) => onChange('model_id', value)}
        className="max-w-44"
      />
      <NameFilter value={query.get('name') ?? ''} onChange={(value) => onChange('name', value)} />
      <span className="inline-flex flex-wrap gap-2">
        <DateFilter label={t('filterFrom')} name="from" query={query} onChange={onChange} />
        <DateFilter label={t('filterUntil')} name="until" query={query} onChange={onChange} />
      </span>
      {inspection && (
        <Checkbox
          label={t('filterDisagrees')}
          checked={query.get('disagrees') === 'true'}
          onChange={(event) => onChange('disagrees', event.target.checked ? 'true' : '')}
        />
      )}
      {inspection && (
        <Checkbox
          label={t('filterFailed')}
          checked={query.get('status') === 'failed'}
          onChange={(event) => onChange('status', event.target.checked ? 'failed' : '')}
        />
      )}
      {isNarrowed(query) && <Button label={t('clearFilters')} size="small" look="quiet" onClick={onClear} />}
    </>
  );
}

type PartProps = Pick<FilterBarProps, 'query' | 'onChange'> & { label: string; name: FilterKey };

function VerdictSelect({ label, name, query, onChange, withNone = false }: PartProps & { withNone?: boolean }) {
  return (
    <CompactSelect
      label={label}
      value={query.get(name) ?? ''}
      options={[
        ['', `${label}: ${t('filterAny')}`],
        ['OK', `${label}: OK`],
        ['NG', `${label}: NG`],
        ...(withNone ? [['none', `${label}: ${t('unreviewed')}`] as const] : []),
      ]}
      onChange={(value) => onChange(name, value)}
    />
  );
}

function DateFilter({ label, name, query, onChange }: PartProps) {
  return (
    <label className="inline-flex items-center gap-1.5 text-[13px] text-ink-soft">
      {label}
      <input
        type="date"
        className="min-h-9 rounded-md border border-line-strong bg-surface px-2 text-ink"
        value={query.get(name) ?? ''}
        onChange={(event) => onChange(name, event.target.value)}
      />
    </label>
  );
}

/** Applied on Enter or when the field is left: typing does not send a request for each letter. */
function NameFilter({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const field = useRef<HTMLInputElement>(null);
  // Clearing the filters and going back in the history change it too.
  useEffect(() => {
    if (field.current) field.current.value = value;
  }, [value]);
  const apply = ({ currentTarget: { value: text } }: SyntheticEvent<HTMLInputElement>) =>
    text.trim() !== value && onChange(text.trim());
  return (
    <input
      type="search"
      aria-label={t('filterName')}
      placeholder={t('filterName')}
      className={`${inputClass} !min-h-9 !w-36 text-[13px]`}
      ref={field}
      onBlur={apply}
      onKeyDown={(event) => event.key === 'Enter' && apply(event)}
    />
  );
}
