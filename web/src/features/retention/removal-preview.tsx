import { useMutation, useQuery } from '@tanstack/react-query';
import { dataOf } from '../../../../src/client/kensa-api.ts';
import type { RetentionPreview, Schemas } from '../../../../src/client/shapes.ts';
import { api } from '../../api/kensa.ts';
import { refreshAll } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ItemTile } from '../../components/item-tile.tsx';
import { DataTable, Loaded } from '../../components/page.tsx';
import { showToast } from '../../components/toast.tsx';
import { type MessageKey, t } from '../../i18n/text.ts';
import { bytesText, verdictTexts } from './retention-texts.ts';

type Part = Schemas['RemovedPart'];

const reasons: Record<Part['reason'], MessageKey> = {
  images: 'reasonImages',
  records: 'reasonRecords',
  space: 'reasonSpace',
};

const number = (value: number): string => value.toLocaleString('en-US');

/** What a run would remove: numbers, by verdict and by age, with examples. */
export function RemovalPreview({ preview }: { preview: RetentionPreview }) {
  if (preview.items + preview.records === 0)
    return (
      <>
        <p role="status">{t('nothingToRemove')}</p>
        <MissingNote preview={preview} />
      </>
    );
  const ages = preview.by_age.filter(({ items }) => items > 0);
  return (
    <div className="flex flex-col gap-4" role="status">
      <p className="font-medium">
        {t('wouldRemove', {
          images: number(preview.images),
          bytes: bytesText(preview.bytes),
          records: number(preview.records),
        })}
      </p>
      <DataTable
        caption={t('byVerdict')}
        rows={preview.removed}
        rowKey={({ reason, verdict }) => `${reason} ${verdict}`}
        columns={[
          { title: t('runCause'), cell: ({ reason }) => t(reasons[reason]) },
          { title: t('verdict'), cell: ({ verdict }) => t(verdictTexts[verdict]) },
          { title: t('itemsTitle'), numeric: true, cell: ({ items, records }) => number(items + records) },
          { title: t('storedImages'), numeric: true, cell: ({ images }) => number(images) },
          { title: t('removedSize'), numeric: true, cell: ({ bytes }) => bytesText(bytes) },
        ]}
      />
      <DataTable
        caption={t('byAge')}
        rows={ages}
        rowKey={({ from_days }) => from_days}
        columns={[
          { title: t('age'), cell: ({ from_days: from, to_days: to }) => ageText(from, to) },
          { title: t('itemsTitle'), numeric: true, cell: ({ items }) => number(items) },
          { title: t('removedSize'), numeric: true, cell: ({ bytes }) => bytesText(bytes) },
        ]}
      />
      <MissingNote preview={preview} />
      <h3 className="font-medium">{t('oldestOfThem')}</h3>
      <div className="grid grid-cols-4 gap-2 md:grid-cols-6">
        {preview.examples.map((item) => (
          <ItemTile key={item.item_id} item={item} />
        ))}
      </div>
    </div>
  );
}

function MissingNote({ preview: { missing_bytes: missing } }: { preview: RetentionPreview }) {
  if (missing === 0) return null;
  return (
    <p className="mt-2 rounded-md bg-warn-soft px-3 py-2 text-warn">
      {t('stillMissing', { bytes: bytesText(missing) })}
    </p>
  );
}

function ageText(from: number, to: number | null): string {
  return to === null ? t('daysAndMore', { from }) : t('daysBetween', { from, to });
}

/** Shows what would go by the saved rules, and removes it when the person says so. */
export function RunDialog({ onClose }: { onClose: () => void }) {
  const preview = useQuery({
    queryKey: ['retention-preview'],
    queryFn: ({ signal }) =>
      dataOf(api.POST('/api/v1/retention/preview', { body: {}, signal })) as Promise<RetentionPreview>,
    staleTime: 0,
  });
  const run = useMutation({
    mutationFn: () => dataOf(api.POST('/api/v1/retention/runs')),
    onSuccess: () => {
      showToast(t('runStarted'));
      onClose();
      return refreshAll();
    },
  });
  const isEmpty = preview.data === undefined || preview.data.items + preview.data.records === 0;
  return (
    <Dialog
      title={t('retentionPreview')}
      size="wide"
      onClose={onClose}
      footer={
        <>
          <Button label={t('cancel')} onClick={onClose} />
          <Button
            label={t('removeNow')}
            look="danger"
            disabled={isEmpty || run.isPending}
            onClick={() => run.mutate()}
          />
        </>
      }
    >
      <Loaded query={preview}>{(data) => <RemovalPreview preview={data} />}</Loaded>
    </Dialog>
  );
}
