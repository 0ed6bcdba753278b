import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Data } from '../../http/common-schemas.ts';
import { operationsOf } from '../../http/operation.ts';
import { readMultipart, type UploadFields } from '../../http/uploads.ts';
import type { ModelsService } from '../models/models.service.ts';
import type { PredictionService } from '../prediction/prediction.service.ts';
import type { StationsService } from '../stations/stations.service.ts';
import type { TargetsService } from '../targets/targets.service.ts';
import { addItemFieldNames, imageFormProperties, parseAddItemFields } from './add-item-fields.ts';
import type { createItemView } from './item-view.ts';
import {
  GetItemQuery,
  GetItemsQuery,
  GetItemsResponse,
  Item,
  ItemIdParams,
  ItemIds,
  ItemIdsBody,
} from './items.schemas.ts';
import type { ItemsService } from './items.service.ts';
import type { UploadedItem } from './upload.ts';

const addItemBody = {
  type: 'object',
  required: ['training'],
  properties: {
    ...imageFormProperties,
    training: { type: 'boolean' },
    good: {
      type: 'boolean',
      description: 'verdict of the sender; absent: good with training=true, none with training=false',
    },
    model_id: { type: 'string', description: 'with training=false: predict with this model (or "active") at once' },
    station_id: { type: 'string', description: 'ext: the station that the images come from' },
    target_id: {
      type: 'integer',
      description: 'ext: the product that the images show; absent: that of the station, else the default target',
    },
  },
} as const;

/** The model that is to predict, by the fields before a file; undefined where they do not say so, or are not valid. */
function findModel(before: UploadFields): { modelId?: string | undefined; targetId?: number | undefined } {
  try {
    const { training, modelId, origin } = parseAddItemFields(before);
    return training ? {} : { modelId, targetId: origin.target_id };
  } catch {
    // All fields are checked once the form is read.
    return {};
  }
}

export function itemsRoutes(dependencies: {
  items: ItemsService;
  models: ModelsService;
  predictions: PredictionService;
  stations: StationsService;
  targets: Pick<TargetsService, 'requireNamed'>;
  view: ReturnType<typeof createItemView>;
}): FastifyPluginAsyncTypebox {
  const { items, models, predictions, stations, targets, view } = dependencies;
  const operation = operationsOf('Items');
  return async (app) => {
    app.get(
      '/api/v1/items/',
      operation('getItemsByType', 'A page of items, newest first', {
        role: 'viewer',
        querystring: GetItemsQuery,
        answer: GetItemsResponse,
        errors: [422],
      }),
      async ({ query }) => {
        const model = query.model_id === undefined ? undefined : await models.requireModel(query.model_id);
        if (model) query.model_id = model.model_id;
        const { items: details, total, endPage, next, searchedSince } = await items.listItems(query, model?.threshold);
        return {
          data: {
            current_page: query.page,
            end_page: endPage,
            count_per_page: query.count,
            total,
            ...(next === undefined ? {} : { next }),
            ...(searchedSince === undefined ? {} : { searched_since: searchedSince }),
            items: details.map((item) => view(item, { assessments: true, annotations: true })),
          },
        };
      },
    );

    app.post(
      '/api/v1/items/',
      {
        // The handler reads the body as a stream and checks it; the schema documents it.
        validatorCompiler: () => () => true,
        ...operation('addItem', 'Upload images', {
          role: 'inspector',
          consumes: ['multipart/form-data'],
          body: addItemBody,
          response: { 201: Data(ItemIds) },
          errors: [400, 413, 422, 425],
        }),
      },
      async (request, reply) => {
        const upload = items.beginUpload();
        const fields = await readMultipart(request, {
          field: 'files',
          fields: addItemFieldNames,
          onFile: (name, bytes, { fields: before, release }) => {
            const { modelId, targetId } = findModel(before);
            const check = (image: Uint8Array) => predictions.checkImage(image, modelId, targetId);
            return upload.addFile(name, bytes, check).finally(release);
          },
        });
        const { training, good, modelId, itemName, origin } = parseAddItemFields(fields);
        const uploaded = upload.finish(itemName);
        const station = origin.station_id === undefined ? undefined : await stations.findNamed(origin.station_id);
        if (origin.target_id !== undefined) await targets.requireNamed(origin.target_id);
        const target = station?.target_id ?? origin.target_id;
        const prediction = !training && modelId ? await predictions.prepare(modelId, target) : undefined;
        const originOf = (item: UploadedItem) => (station ? stations.originOf(station, origin, item) : origin);
        const itemIds = await items.addItems(uploaded, { training, good, originOf }, prediction);
        return reply.status(201).send({ data: { item_ids: itemIds } });
      },
    );

    app.delete(
      '/api/v1/items/',
      operation('delItem', 'Delete items, all or none', {
        role: 'engineer',
        body: ItemIdsBody,
        answer: ItemIds,
        errors: [422],
      }),
      async ({ body }) => ({ data: { item_ids: await items.deleteItems(body.item_ids) } }),
    );

    app.get(
      '/api/v1/items/:item_id',
      operation('getItemById', 'One item with its assessments', {
        role: 'viewer',
        params: ItemIdParams,
        querystring: GetItemQuery,
        answer: Item,
        errors: [404, 422],
      }),
      async ({ params, query }) => {
        const modelId = query.model_id && (await models.requireModel(query.model_id)).model_id;
        const details = await items.getItem(params.item_id, modelId);
        return { data: view(details, { assessments: query.show_assessments, annotations: query.show_annotations }) };
      },
    );
  };
}
