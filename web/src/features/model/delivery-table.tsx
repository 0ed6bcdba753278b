import { Link } from 'react-router';
import type { CallbackDelivery } from '../../../../src/client/shapes.ts';
import { Badge, type Tone } from '../../components/badge.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { useLanguage } from '../../i18n/language.ts';
import type { MessageKey } from '../../i18n/messages/index.ts';
import { useText } from '../../i18n/use-text.ts';

const statuses: Record<CallbackDelivery['status'], [MessageKey, Tone]> = {
  pending: ['deliveryPending', 'warn'],
  delivered: ['deliveryDelivered', 'ok'],
  dead: ['deliveryDead', 'ng'],
};

export function DeliveryTable({ deliveries }: { deliveries: readonly CallbackDelivery[] }) {
  const t = useText();
  const language = useLanguage();
  if (deliveries.length === 0) return <p className="text-ink-soft">{t('noDeliveries')}</p>;
  return (
    <DataTable
      caption={t('deliveries')}
      rows={deliveries}
      rowKey={(delivery) => delivery.delivery_id}
      columns={[
        {
          title: t('deliveryStatus'),
          cell: ({ status }) => <Badge tone={statuses[status][1]}>{t(statuses[status][0])}</Badge>,
        },
        {
          title: t('item'),
          cell: ({ item_id }) => (
            <Link to={`/items/${item_id}?type=prediction`} className="text-accent hover:underline">
              {item_id.slice(-12)}
            </Link>
          ),
        },
        { title: t('attempts'), numeric: true, cell: ({ attempts }) => attempts },
        { title: t('answer'), cell: ({ last_status, last_error }) => last_error ?? last_status ?? '–' },
        {
          title: t('lastTry'),
          cell: ({ last_tried_at }) => (last_tried_at ? new Date(last_tried_at).toLocaleString(language) : '–'),
        },
      ]}
    />
  );
}
