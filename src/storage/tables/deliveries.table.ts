export type DeliveryStatus = 'pending' | 'delivered' | 'dead';

/** The outbox: one callback of one verdict, written in the transaction that stores the verdict. */
export interface DeliveriesTable {
  /** UUIDv7, so that the order of ids is the order of arrival. */
  delivery_id: string;
  model_id: string;
  item_id: string;
  status: DeliveryStatus;
  attempts: number;
  /** JSON: the item as it was at the verdict, with this model's assessment only; empty once delivered. */
  snapshot: string;
  last_status: number | null;
  last_error: string | null;
  last_tried_at: string | null;
  next_try_at: string | null;
  created_at: string;
}
