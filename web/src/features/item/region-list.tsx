import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { dataOf } from '../../../../src/client/kensa-api.ts';
import type { Item, ItemImage } from '../../../../src/client/shapes.ts';
import { api } from '../../api/kensa.ts';
import { labelsQuery, queryClient } from '../../api/queries.ts';
import { may } from '../../api/session.ts';
import { IconButton } from '../../components/button.tsx';
import { NameDialog } from '../../components/dialog.tsx';
import { CompactSelect, inputClass, NumberInput } from '../../components/field.tsx';
import { leaveRow } from '../../components/leave-row.ts';
import { t } from '../../i18n/text.ts';
import { move, resize } from '../viewer/geometry.ts';
import type { Region, Regions } from './use-regions.ts';

/** The regions as a list. By key it can do everything that the pointer can do on the image. */
export function RegionList({ item, regions }: { item: Item; regions: Regions }) {
  if (regions.all.length === 0) return <p className="text-[13px] text-ink-soft">{t('noRegions')}</p>;
  return (
    <ul className="flex flex-col gap-2">
      {regions.all.map((region, index) => {
        const image = item.images.find((one) => one.name === region.image);
        const selected = region.key === regions.selected?.key;
        return (
          <li key={region.key} className={`rounded-lg border p-2 ${selected ? 'border-accent' : 'border-line'}`}>
            <div className="flex items-center gap-2">
              <button
                type="button"
                aria-pressed={selected}
                onClick={() => regions.select(selected ? undefined : region.key)}
                className="min-h-9 flex-1 text-left font-medium"
              >
                {t('region', { n: index + 1 })}
              </button>
              <LabelSelect label={region.label} onChange={(label) => regions.change(region.key, { label })} />
              <IconButton
                icon="trash"
                needs="inspector"
                label={t('deleteRegion', { n: index + 1 })}
                onClick={({ currentTarget }) => {
                  leaveRow(currentTarget);
                  regions.remove(region.key);
                }}
              />
            </div>
            {selected && image && <RegionFields region={region} image={image} regions={regions} />}
          </li>
        );
      })}
    </ul>
  );
}

function RegionFields({ region, image, regions }: { region: Region; image: ItemImage; regions: Regions }) {
  const width = region.x_max - region.x_min;
  const height = region.y_max - region.y_min;
  const fields = [
    [t('left'), region.x_min, (value: number) => move(region, { x: value - region.x_min, y: 0 }, image)],
    [t('top'), region.y_min, (value: number) => move(region, { x: 0, y: value - region.y_min }, image)],
    [t('width'), width, (value: number) => resize(region, 'e', { x: value - width, y: 0 }, image)],
    [t('height'), height, (value: number) => resize(region, 's', { x: 0, y: value - height }, image)],
  ] as const;
  return (
    <div className="mt-2 grid grid-cols-4 gap-2">
      {fields.map(([label, value, apply]) => (
        // biome-ignore lint/a11y/noLabelWithoutControl: the field is inside
        <label key={label} className="text-xs text-ink-soft">
          {label}
          <NumberInput
            className="min-h-8! any-pointer-coarse:min-h-11! !px-1.5"
            value={Math.round(value)}
            onNumber={(next) => next !== undefined && regions.change(region.key, apply(next))}
          />
        </label>
      ))}
      <label className="col-span-4 text-xs text-ink-soft">
        {t('regionNotes')}
        <input
          className={`${inputClass} min-h-8! any-pointer-coarse:min-h-11!`}
          value={region.notes ?? ''}
          onChange={(event) => regions.change(region.key, { notes: event.target.value || null })}
        />
      </label>
    </div>
  );
}

const none = 'none';
const another = 'another';

/** The kind of defect. A new kind gets the next free number. */
function LabelSelect({ label, onChange }: { label: number | null; onChange: (label: number | null) => void }) {
  const labels = useQuery(labelsQuery()).data ?? [];
  const [naming, setNaming] = useState(false);
  const unnamed = label !== null && !labels.some((one) => one.label === label);
  const addLabel = async (name: string) => {
    const next = Math.max(0, ...labels.map((one) => one.label)) + 1;
    const body = { labels: [...labels, { label: next, name }] };
    queryClient.setQueryData(labelsQuery().queryKey, await dataOf(api.PUT('/api/v1/labels', { body })));
    onChange(next);
  };
  return (
    <>
      <CompactSelect
        label={t('regionLabel')}
        value={label === null ? none : String(label)}
        options={[
          [none, t('noLabel')],
          ...labels.map((one) => [one.label, `${one.label} · ${one.name}`] as const),
          ...(unnamed ? [[label, t('labelNumber', { n: label })] as const] : []),
          ...(may('engineer') ? [[another, `${t('newLabelTitle')} …`] as const] : []),
        ]}
        onChange={(value) => {
          if (value === another) setNaming(true);
          else onChange(value === none ? null : Number(value));
        }}
        className="max-w-32"
      />
      {naming && (
        <NameDialog title={t('newLabelTitle')} maxLength={100} save={addLabel} onClose={() => setNaming(false)} />
      )}
    </>
  );
}
