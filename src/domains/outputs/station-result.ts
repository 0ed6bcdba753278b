import { readMessages, renderAll } from '../../messages/message.ts';
import type { DeliverySnapshot } from '../callbacks/deliver-handler.ts';

/** The end of an inspection, as MQTT and sidecar files say it. `item_id` is the same where it is sent again. */
export interface StationResult {
  readonly item_id: string;
  readonly name: string;
  readonly station_id: string | null;
  readonly station: string | null;
  readonly result: 'OK' | 'NG' | 'FAULT';
  readonly label: string | null;
  /** 0 to 1; 0.5 is the threshold. */
  readonly anomaly_score: number | null;
  readonly regions: number;
  readonly serial: string | null;
  readonly lot: string | null;
  readonly fields: Readonly<Record<string, string>>;
  readonly model_id: string | null;
  readonly model_version: number | null;
  readonly received_at: string;
  readonly inspected_at: string | null;
  /** Why there is no verdict. */
  readonly reason: string | null;
}

export function resultOf({ item, assessments, station }: DeliverySnapshot): StationResult {
  const verdict = item.status === 'done' ? assessments[0]?.row : undefined;
  return {
    item_id: item.item_id,
    name: item.name,
    station_id: item.station_id,
    station: station?.name ?? null,
    result: verdict?.result ?? 'FAULT',
    label: verdict?.label ?? null,
    anomaly_score: verdict ? Number(verdict.anomaly_score) : null,
    regions: verdict?.detected_objects ?? 0,
    serial: item.serial,
    lot: item.lot,
    fields: item.fields === null ? {} : (JSON.parse(item.fields) as Record<string, string>),
    model_id: verdict?.model_id ?? null,
    model_version: station?.model_version ?? null,
    received_at: item.created_at,
    inspected_at: verdict?.predicted_at ?? null,
    reason: verdict ? null : renderAll(readMessages(item.status_text), 'en') || 'There is no verdict.',
  };
}
