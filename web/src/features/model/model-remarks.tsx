import { useQuery } from '@tanstack/react-query';
import type { Model } from '../../../../src/client/shapes.ts';
import { itemQuery } from '../../api/queries.ts';
import { ItemTile } from '../../components/item-tile.tsx';
import { MiddleTruncated } from '../../components/middle-truncated.tsx';
import { Card } from '../../components/page.tsx';
import { type MessageKey, t } from '../../i18n/text.ts';

type Remark = NonNullable<Model['status_messages']>[number];

/** Remarks that name training images, with a text that ends where the images begin. */
const textsOfItems: Readonly<Record<string, MessageKey>> = {
  'remark.outliers': 'remarkOutliers',
  'remark.doubtful': 'remarkDoubtful',
  'remark.copies': 'remarkCopies',
};

/** What the server says of a model beside that it is ready. Images that it names can be opened. */
export function ModelRemarks({ model }: { model: Model }) {
  const remarks = (model.status_messages ?? []).filter(({ code }) => code !== 'status.ready');
  if (remarks.length === 0) return null;
  return (
    <Card title={t('remarks')}>
      <ul className="flex flex-col gap-3">
        {remarks.map((remark, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: remarks never change
          <li key={index}>
            <RemarkText remark={remark} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function RemarkText({ remark: { code, values, text } }: { remark: Remark }) {
  const ids = values['item_ids'];
  const key = textsOfItems[code];
  // An earlier release did not say which items they are.
  if (!key || !Array.isArray(ids)) return text;
  const names = Array.isArray(values['names']) ? (values['names'] as unknown[]) : [];
  const more = names.map(countMore).find((count) => count !== undefined);
  return (
    <>
      {t(key)}
      <ul className="mt-2 flex flex-wrap gap-2">
        {ids.map((id, index) => (
          // Two images of an item have its id.
          // biome-ignore lint/suspicious/noArrayIndexKey: remarks never change
          <li key={index} className="w-24">
            <RemarkedItem itemId={String(id)} name={String(names[index])} />
          </li>
        ))}
        {more !== undefined && <li className="self-center text-ink-soft">{t('andMore', { n: more })}</li>}
      </ul>
    </>
  );
}

/** How many more names there are, where this stands for them. */
function countMore(name: unknown): number | undefined {
  const { code, values } = (name ?? {}) as { code?: string; values?: { count?: number } };
  return code === 'list.more' ? values?.count : undefined;
}

function RemarkedItem({ itemId, name }: { itemId: string; name: string }) {
  const item = useQuery({ ...itemQuery(itemId), retry: false }).data;
  if (item) return <ItemTile item={item} />;
  // Deleted since, or not loaded yet.
  return <MiddleTruncated text={name} className="text-ink-soft" />;
}
