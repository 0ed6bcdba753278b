/** Compiled, never run: the page's shapes are those of the API, only narrower. A field that the API lacks fails here. */
import type { components } from '../../../src/client/generated/openapi.ts';
import type { CallbackDelivery, CallbackOverview, CallbackTest } from './callbacks.ts';
import type * as page from './types.ts';

type Api = components['schemas'];
type Unknown<Ours extends Theirs, Theirs> = Exclude<keyof Ours, keyof Theirs>;
type Nothing<Fields extends never> = Fields;

export type Checks = [
  Nothing<Unknown<page.ItemImage, Api['ItemImageMeta']>>,
  Nothing<Unknown<page.ModelAssessment, Omit<Api['ModelAssessment'], 'annotations'> & { annotations?: unknown }>>,
  Nothing<Unknown<Omit<page.Item, 'assessments' | 'user_assessment'>, Api['Item']>>,
  Nothing<Unknown<Omit<page.ItemPage, 'items'>, Omit<Api['GetItemsResponse'], 'items'>>>,
  Nothing<Unknown<page.PredictParameters, Api['PredictParametersInForce']>>,
  Nothing<Unknown<page.Model, Api['Model']>>,
  Nothing<Unknown<page.Label, Api['Label']>>,
  Nothing<Unknown<page.Preprocessing, Api['Preprocessing']>>,
  Nothing<Unknown<page.Target, Api['InspectionTarget']>>,
  Nothing<Unknown<page.ScoredItem, Api['ScoredItem']>>,
  Nothing<Unknown<page.ModelScores, Api['ModelScores']>>,
  Nothing<Unknown<page.Readiness, Api['Readiness']>>,
  Nothing<Unknown<page.ServerStatus, Api['ServerStatus']>>,
  Nothing<Unknown<page.Overview['inspected'], Api['InspectedCounts']>>,
  Nothing<Unknown<CallbackDelivery, Omit<Api['CallbackDelivery'], 'created_at'>>>,
  Nothing<Unknown<CallbackTest, Api['CallbackTest']>>,
  Nothing<Unknown<Omit<CallbackOverview, 'deliveries'>, Omit<Api['CallbackOverview'], 'deliveries'>>>,
];
