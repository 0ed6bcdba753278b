import type { AuditFilter } from '../../../src/client/shapes.ts';
import { exportModels } from '../../../src/client/transfer.ts';
import { api } from './kensa.ts';

/** Saves the bytes as a file of the browser. */
function saveFile(bytes: Blob | undefined, name: string): void {
  if (!bytes) return;
  const link = document.createElement('a');
  link.href = URL.createObjectURL(bytes);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export async function saveModel(modelId: string, name: string): Promise<void> {
  saveFile(await exportModels(api, [modelId]), `${name}.zip`);
}

/** Verdicts as CSV: of one model, or of all. */
export async function saveResults(name: string, modelId?: string): Promise<void> {
  const query = modelId === undefined ? {} : { model_ids: [modelId] };
  const { data } = await api.POST('/api/v1/targets/model/results', { params: { query }, parseAs: 'blob' });
  saveFile(data, `${name}.csv`);
}

export async function saveLogs(): Promise<void> {
  const { data } = await api.POST('/api/v1/utils/debug', { parseAs: 'blob' });
  saveFile(data, 'kensa-debug.zip');
}

export async function saveAudit(format: 'jsonl' | 'csv', filter: AuditFilter): Promise<void> {
  const { data } = await api.GET('/api/v1/audit/export', { params: { query: { ...filter, format } }, parseAs: 'blob' });
  saveFile(data, `kensa-audit.${format}`);
}
