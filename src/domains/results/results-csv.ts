import { stringify } from 'csv-stringify/sync';
import type { ResultRow } from './results.store.ts';

type Cell = string | number;

const columns: Readonly<Record<string, (row: ResultRow) => Cell>> = {
  model_id: (row) => row.model_id,
  model_name: (row) => row.model_name,
  model_version: (row) => row.version,
  algorithm_id: (row) => row.algorithm_id,
  item_id: (row) => row.item_id,
  item_name: (row) => row.item_name,
  image: (row) => row.image,
  predicted_at: (row) => row.predicted_at,
  result: (row) => row.result,
  label: (row) => row.label,
  anomaly_score: (row) => row.anomaly_score,
  raw_score: (row) => row.raw_score,
  threshold: (row) => row.threshold,
  detected_objects: (row) => row.detected_objects,
  detection_accuracy: (row) => row.detection_accuracy,
  user_result: (row) => row.user_result ?? '',
  // A person judges items, so it is the item's verdict that agrees or not.
  agrees: (row) => (row.user_result === null ? '' : String(row.user_result === row.item_result)),
  defect_area: (row) => row.defect_area,
  duration_ms: (row) => Math.round(row.duration_ms * 1000) / 1000,
};

export const resultColumns: readonly string[] = Object.keys(columns);

/** RFC 4180 lines. A cell that a spreadsheet would run as a formula gets an apostrophe before it. */
export function toCsv(records: readonly (readonly Cell[])[]): string {
  return stringify(
    records.map((cells) => [...cells]),
    { record_delimiter: 'windows', escape_formulas: true },
  );
}

export function toCells(row: ResultRow): Cell[] {
  return Object.values(columns).map((read) => read(row));
}
