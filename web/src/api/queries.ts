import { QueryClient, queryOptions } from '@tanstack/react-query';
import { dataOf } from '../../../src/client/kensa-api.ts';
import { type FieldProblem, KensaError } from '../../../src/client/kensa-error.ts';
import type {
  Algorithm,
  CallbackOverview,
  Hold,
  Item,
  ItemFilter,
  ItemPage,
  Label,
  Model,
  ModelScores,
  NearestGood,
  Overview,
  Readiness,
  RetentionRule,
  RetentionState,
  Schemas,
  ServerStatus,
  Station,
  Target,
} from '../../../src/client/shapes.ts';
import { showError } from '../components/toast.tsx';
import { api, ofModel, ofStation } from './kensa.ts';

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // The service may run on this machine, where no network is needed.
      networkMode: 'always',
      staleTime: 5_000,
      refetchOnWindowFocus: false,
      retry: (failures, error) =>
        failures < 2 && !(error instanceof KensaError && error.status >= 400 && error.status < 500),
    },
    mutations: { networkMode: 'always', onError: (error) => showError(error) },
  },
});

/** Everything on the screen is fetched again, everything else when it is next shown. */
export const refreshAll = (): Promise<void> => queryClient.invalidateQueries();

/** What was wrong with which field, if the server says so. */
export const problemsOf = (error: Error | null): readonly FieldProblem[] =>
  error instanceof KensaError ? error.problems : [];

export const inProgress = (model: Model): boolean => model.status === 'queued' || model.status === 'training';

export const isBusy = ({ status }: Item): boolean => status === 'queued' || status === 'processing';

/** The part of JSON Schema that describes the config of a step. */
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

export type StepInfo = Schemas['PreprocessingStepInfo'] & { readonly schema: ConfigSchema };

function localMidnight(): string {
  const now = new Date();
  return new Date(now.getFullYear(), now.getMonth(), now.getDate()).toISOString();
}

interface Refresh {
  readonly refetchInterval?: number;
  readonly staleTime?: number;
}

const query = <Data>(
  queryKey: readonly unknown[],
  load: (signal: AbortSignal) => Promise<Data>,
  refresh: Refresh = {},
) => queryOptions({ queryKey, queryFn: ({ signal }) => load(signal), ...refresh });

/** @param targetId one product; undefined: all */
export const overviewQuery = (targetId: number | undefined) => {
  const params = { query: { since: localMidnight(), ...(targetId === undefined ? {} : { target_id: targetId }) } };
  const load = (signal: AbortSignal): Promise<Overview> => dataOf(api.GET('/api/v1/overview', { params, signal }));
  return query(['overview', targetId], load, { refetchInterval: 4_000 });
};

export function fetchItemPage(query: ItemFilter & { page?: number; count: number }, signal?: AbortSignal) {
  const asked = api.GET('/api/v1/items/', { params: { query }, signal: signal ?? null });
  return dataOf(asked) as Promise<ItemPage>;
}

export const itemPageQuery = (filter: ItemFilter, page: number, count: number) =>
  queryOptions({
    queryKey: ['items', filter, count, page],
    queryFn: ({ signal }) => fetchItemPage({ ...filter, page, count }, signal),
    // Verdicts of queued items come soon.
    refetchInterval: ({ state }) => (state.data?.items.some(isBusy) ? 1_500 : 15_000),
  });

export const itemQuery = (itemId: string) =>
  queryOptions({
    queryKey: ['item', itemId],
    queryFn: ({ signal }): Promise<Item> => {
      const params = { path: { item_id: itemId }, query: { show_annotations: true } };
      return dataOf(api.GET('/api/v1/items/{item_id}', { params, signal }));
    },
    refetchInterval: ({ state }) => (state.data && isBusy(state.data) ? 700 : false),
  });

export const modelsQuery = () =>
  queryOptions({
    queryKey: ['models'],
    queryFn: ({ signal }): Promise<Model[]> => dataOf(api.GET('/api/v1/models/', { signal })),
    // Models are also trained by other clients.
    refetchInterval: ({ state }) => (state.data?.some(inProgress) ? 1_000 : 4_000),
  });

export const modelQuery = (modelId: string) =>
  queryOptions({
    queryKey: ['model', modelId],
    queryFn: ({ signal }): Promise<Model> =>
      dataOf(api.GET('/api/v1/models/{model_id}', { ...ofModel(modelId), signal })),
    refetchInterval: ({ state }) => (state.data && inProgress(state.data) ? 700 : false),
  });

export const fetchScores = (modelId: string, signal: AbortSignal): Promise<ModelScores> =>
  dataOf(api.GET('/api/v1/models/{model_id}/scores', { ...ofModel(modelId), signal }));

export const scoresQuery = (modelId: string) =>
  // Thousands of scores: fetched at each visit, and seldom while they are shown.
  query(['scores', modelId], (signal) => fetchScores(modelId, signal), { staleTime: 0, refetchInterval: 15_000 });

/** What the model learned from. @param withoutId a model; the items that it learned from, too, are not listed */
export const trainingItemsQuery = (modelId: string, withoutId?: string) => {
  const params = { ...ofModel(modelId).params, query: withoutId === undefined ? {} : { without_model_id: withoutId } };
  const load = (signal: AbortSignal): Promise<Schemas['ModelTrainingItems']> =>
    dataOf(api.GET('/api/v1/models/{model_id}/training-items', { params, signal }));
  return query(['training-items', modelId, withoutId], load);
};

export const callbacksQuery = (modelId: string) => {
  const load = (signal: AbortSignal): Promise<CallbackOverview> =>
    dataOf(api.GET('/api/v1/models/{model_id}/callbacks', { ...ofModel(modelId), signal }));
  return query(['callbacks', modelId], load, { refetchInterval: 4_000 });
};

export const algorithmsQuery = () =>
  query(['algorithms'], (signal): Promise<Algorithm[]> => dataOf(api.GET('/api/v1/algorithms/', { signal })));

export const readinessQuery = (algorithmId: string, targetId: number | undefined, itemIds?: readonly string[]) => {
  const params = { path: { algorithm_id: algorithmId } };
  const body = {
    ...(itemIds ? { item_ids: [...itemIds] } : {}),
    ...(targetId === undefined ? {} : { target_id: targetId }),
  };
  const load = (signal: AbortSignal): Promise<Readiness> =>
    dataOf(api.POST('/api/v1/algorithms/{algorithm_id}/readiness', { params, body, signal }));
  // Regions and verdicts change what is ready.
  return query(['readiness', algorithmId, targetId, itemIds], load, { staleTime: 0 });
};

/** What the model compares a place of the item with. @param point absent: the place that differs most */
export const nearestGoodQuery = (
  itemId: string,
  model_id: string,
  image: string,
  point: { readonly x: number; readonly y: number } | undefined,
) => {
  const params = { path: { item_id: itemId }, query: { model_id, image, ...point } };
  const load = (signal: AbortSignal): Promise<NearestGood> =>
    dataOf(api.GET('/api/v1/items/{item_id}/nearest-good', { params, signal }));
  return query(['nearest-good', itemId, model_id, image, point], load, { staleTime: 60_000 });
};

export const labelsQuery = () =>
  query(['labels'], (signal): Promise<Label[]> => dataOf(api.GET('/api/v1/labels', { signal })));

export const targetsQuery = () =>
  query(['targets'], (signal): Promise<Target[]> => dataOf(api.GET('/api/v1/targets/', { signal })));

export const stepCatalogueQuery = () =>
  query(['steps'], (signal): Promise<StepInfo[]> => dataOf(api.GET('/api/v1/targets/steps', { signal })));

export const statusQuery = () => {
  const load = (signal: AbortSignal): Promise<ServerStatus> => dataOf(api.GET('/api/v1/status', { signal }));
  return query(['status'], load, { refetchInterval: 2_000 });
};

export const retentionQuery = () => {
  const load = (signal: AbortSignal): Promise<RetentionState> => dataOf(api.GET('/api/v1/retention/', { signal }));
  return query(['retention'], load, { refetchInterval: 15_000 });
};

export const retentionRulesQuery = () =>
  query(
    ['retention-rules'],
    (signal): Promise<RetentionRule[]> => dataOf(api.GET('/api/v1/retention/rules', { signal })),
  );

export const retentionRunsQuery = (page: number, count: number) => {
  const params = { query: { page, count } };
  const load = (signal: AbortSignal): Promise<Schemas['RetentionRunPage']> =>
    dataOf(api.GET('/api/v1/retention/runs', { params, signal }));
  return query(['retention-runs', page, count], load, { refetchInterval: 3_000 });
};

export const holdsQuery = () =>
  query(['holds'], (signal): Promise<Hold[]> => dataOf(api.GET('/api/v1/retention/holds', { signal })));

/** Verdicts come at any moment. */
const stationRefresh = { staleTime: 0, refetchInterval: 1_000 };

export const stationsQuery = () => {
  const load = (signal: AbortSignal) => dataOf(api.GET('/api/v1/stations/', { signal })) as Promise<Station[]>;
  return query(['stations'], load, stationRefresh);
};

export const stationQuery = (station_id: string) => {
  const load = (signal: AbortSignal) =>
    dataOf(api.GET('/api/v1/stations/{station_id}', { ...ofStation(station_id), signal })) as Promise<Station>;
  return query(['station', station_id], load, stationRefresh);
};

export const stationNamesQuery = () =>
  query(['station-names'], (signal): Promise<Schemas['Station'][]> => dataOf(api.GET('/api/v1/stations/', { signal })));

export const nodeHashQuery = () =>
  query(['node-hash'], (signal): Promise<Schemas['LicenseHashResponse']> => {
    return dataOf(api.POST('/api/v1/utils/node_hash', { signal }));
  });

export const usersQuery = () =>
  query(['users'], (signal): Promise<Schemas['User'][]> => dataOf(api.GET('/api/v1/users', { signal })));

export const clientsQuery = () =>
  query(['clients'], (signal): Promise<Schemas['MachineClient'][]> => dataOf(api.GET('/api/v1/clients', { signal })));

export const terminalsQuery = () =>
  query(['terminals'], (signal): Promise<Schemas['Terminal'][]> => dataOf(api.GET('/api/v1/terminals', { signal })));

export const reasonsQuery = () =>
  query(['reasons'], (signal): Promise<Schemas['RequiredReasons']> => {
    return dataOf(api.GET('/api/v1/audit/reasons', { signal }));
  });
