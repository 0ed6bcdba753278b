import { queryOptions } from '@tanstack/react-query';
import { request, send } from './client.ts';
import type { Preprocessing, Target } from './types.ts';

/** The part of JSON Schema that configs of steps are described with. */
export interface ConfigSchema {
  readonly type?: string;
  readonly enum?: readonly (string | number)[];
  readonly description?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, ConfigSchema>>;
  readonly required?: readonly string[];
}

export interface StepInfo {
  readonly name: string;
  readonly title: string;
  readonly help: string;
  readonly schema: ConfigSchema;
  /** JSON of a config. */
  readonly example: string;
}

export const stepCatalogueQuery = () =>
  queryOptions({
    queryKey: ['steps'],
    queryFn: ({ signal }) => request<StepInfo[]>('/api/v1/targets/steps', { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const createTarget = (name: string) => request<Target>('/api/v1/targets/', { method: 'POST', json: { name } });

export const updateTarget = (targetId: number, changes: { name?: string; preprocessing?: readonly Preprocessing[] }) =>
  request<Target>(`/api/v1/targets/${targetId}`, { method: 'PUT', json: changes });

export const deleteTarget = (targetId: number) => request<unknown>(`/api/v1/targets/${targetId}`, { method: 'DELETE' });

export const setDefaultTarget = (targetId: number) =>
  request<Target>(`/api/v1/targets/${targetId}`, { method: 'POST' });

/** The item's first image after the steps, as WebP. */
export async function previewSteps(
  targetId: number,
  itemId: string,
  preprocessing: readonly Preprocessing[],
  signal: AbortSignal,
): Promise<Blob> {
  const json = { item_id: itemId, preprocessing };
  const answer = await send(`/api/v1/targets/${targetId}/preview`, { method: 'POST', json, signal, accept: '*/*' });
  return answer.blob();
}
