import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import type { ItemFilter } from '../../../../src/client/shapes.ts';
import { stationNamesQuery } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { Checkbox, CompactSelect, inputClass } from '../../components/field.tsx';
import { t } from '../../i18n/text.ts';
import { useProduct } from '../../product.ts';
import { useModels } from '../model/use-models.ts';

/** The filters in the address of the screen. */
export const filterKeys = [
  'model_id',
  'result',
  'user_result',
  'disagrees',
  'status',
  'name',
  'from',
  'until',
  'sort',
  'serial',
  'lot',
  'station_id',
  // It has no input here: the details of an item link to it.
  'field',
  'images_removed',
] as const;
export type FilterKey = (typeof filterKeys)[number];

/** The filter in the address. Dates are days in the time zone of the browser. */
export function readFilter(query: URLSearchParams): ItemFilter {
  const filter: Record<string, string | boolean> = {};
  for (const key of filterKeys) {
    const value = query.get(key);
    if (!value) continue;
    const time = key === 'from' ? 'T00:00:00' : key === 'until' ? 'T23:59:59.999' : undefined;
    const date = time === undefined ? undefined : new Date(value + time);
    if (date && Number.isNaN(date.getTime())) continue;
    filter[key] = key === 'disagrees' || key === 'images_removed' ? value === 'true' : (date?.toISOString() ?? value);
  }
  return { item_type: query.get('type') === 'prediction' ? 'prediction' : 'training', ...filter };
}

/** The filter in the address, for the chosen product. A model stands for its product. Without one, the scores are of the active model. */
export function useItemFilter(query: URLSearchParams): ItemFilter {
  const { productId } = useProduct();
  const activeId = useModels(productId).active?.model_id;
  return useMemo(() => {
    const { sort, ...filter } = readFilter(query);
    const scoredBy = filter.model_id ?? activeId;
    if (sort !== undefined && scoredBy !== undefined && filter.item_type === 'prediction')
      return { ...filter, model_id: scoredBy, sort };
    return productId === undefined || filter.model_id !== undefined ? filter : { ...filter, target_id: productId };
  }, [query, productId, activeId]);
}

export function isNarrowed(query: URLSearchParams): boolean {
  return filterKeys.some((key) => query.has(key));
}

interface FilterBarProps {
  query: URLSearchParams;
  /** @param isTyped the value is a part of what is being typed */
  onChange: (key: FilterKey, value: string, isTyped?: boolean) => void;
  onClear: () => void;
}

export function FilterBar({ query, onChange, onClear }: FilterBarProps) {
  const [open, setOpen] = useState(isNarrowed(query));
  const { ready, labelOf } = useModels();
  const stations = useQuery(stationNamesQuery()).data ?? [];
  const inspection = query.get('type') === 'prediction';
  const bound = (name: FilterKey) => ({
    value: query.get(name) ?? '',
    onChange: (value: string) => onChange(name, value),
  });
  const verdictsOf = (whose: string) =>
    [
      ['', `${whose}: ${t('filterAny')}`],
      ['OK', `${whose}: OK`],
      ['NG', `${whose}: NG`],
    ] as const;
  const date = (label: string, name: FilterKey) => (
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
  const text = (label: string, name: FilterKey) => (
    <TextFilter label={label} value={query.get(name) ?? ''} onChange={(value) => onChange(name, value, true)} />
  );
  const flag = (label: string, name: FilterKey, value: string) => (
    <Checkbox
      label={label}
      checked={query.get(name) === value}
      onChange={(event) => onChange(name, event.target.checked ? value : '')}
    />
  );
  const person = t('filterUser');
  return (
    <search aria-label={t('filters')}>
      <Button
        label={t('filters')}
        size="small"
        className="md:hidden"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      />
      <div className={`flex flex-wrap items-center gap-2 max-md:pt-2 ${open ? '' : 'max-md:hidden'}`}>
        {inspection && (
          <CompactSelect label={t('filterVerdict')} options={verdictsOf(t('filterVerdict'))} {...bound('result')} />
        )}
        <CompactSelect
          label={person}
          options={[...verdictsOf(person), ['none', `${person}: ${t('unreviewed')}`]]}
          {...bound('user_result')}
        />
        <CompactSelect
          label={t('filterModel')}
          options={[['', t('filterAllModels')], ...ready.map((model) => [model.model_id, labelOf(model)] as const)]}
          className="max-w-44"
          {...bound('model_id')}
        />
        {inspection && stations.length > 0 && (
          <CompactSelect
            label={t('station')}
            options={[
              ['', `${t('station')}: ${t('filterAny')}`],
              ...stations.map(({ station_id: id, name }) => [id, name] as const),
            ]}
            className="max-w-44"
            {...bound('station_id')}
          />
        )}
        {inspection && (
          <CompactSelect
            label={t('sortBy')}
            options={[
              ['', t('sortNewest')],
              ['score', t('sortScore')],
              ['nearness', t('sortNearness')],
            ]}
            {...bound('sort')}
          />
        )}
        {text(t('filterName'), 'name')}
        {inspection && text(t('serial'), 'serial')}
        {inspection && text(t('lot'), 'lot')}
        <span className="inline-flex flex-wrap gap-2">
          {date(t('filterFrom'), 'from')}
          {date(t('filterUntil'), 'until')}
        </span>
        {inspection && flag(t('filterDisagrees'), 'disagrees', 'true')}
        {inspection && flag(t('filterFailed'), 'status', 'failed')}
        {inspection && flag(t('filterImagesRemoved'), 'images_removed', 'true')}
        {isNarrowed(query) && <Button label={t('clearFilters')} size="small" look="quiet" onClick={onClear} />}
      </div>
    </search>
  );
}

const typingMs = 300;

/** Applied a moment after the last letter. */
function TextFilter({ label, value, onChange }: { label: string; value: string; onChange: (value: string) => void }) {
  const field = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // Clearing the filters and going back in the history change it too.
  useEffect(() => {
    if (field.current && field.current.value.trim() !== value) field.current.value = value;
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const apply = useEffectEvent(() => {
    const text = field.current?.value.trim() ?? '';
    if (text !== value) onChange(text);
  });
  const applySoon = (ms: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => apply(), ms);
  };
  return (
    <input
      ref={field}
      type="search"
      aria-label={label}
      placeholder={label}
      className={`${inputClass} min-h-9! any-pointer-coarse:min-h-11! !w-36 text-[13px]`}
      onChange={() => applySoon(typingMs)}
      onKeyDown={(event) => event.key === 'Enter' && applySoon(0)}
    />
  );
}
