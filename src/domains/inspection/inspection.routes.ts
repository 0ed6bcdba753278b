import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { Data, Int32, Nullable, Shape } from '../../http/common-schemas.ts';
import { operationsOf } from '../../http/operation.ts';
import { readMultipart } from '../../http/uploads.ts';
import type { ModelRow } from '../../storage/database.ts';
import { imageFormFields, imageFormProperties, parseImageForm } from '../items/add-item-fields.ts';
import type { ItemDetails } from '../items/item.store.ts';
import type { createItemView } from '../items/item-view.ts';
import { Item, ItemFields, type ItemOrigin } from '../items/items.schemas.ts';
import type { ItemsService } from '../items/items.service.ts';
import type { UploadedItem } from '../items/upload.ts';
import { ModelIdParams } from '../models/models.schemas.ts';
import type { PredictionService } from '../prediction/prediction.service.ts';
import { StationIdParams } from '../stations/stations.schemas.ts';
import type { InspectAtStation } from './inspect-at-station.ts';
import type { InspectionService } from './inspection.service.ts';
import type { TriggerStation } from './trigger-station.ts';

const InspectQuery = Type.Object(
  {
    timeout_ms: Int32({
      minimum: 0,
      maximum: 60_000,
      default: 2000,
      description: 'from the arrival of the request; then the answer is 202',
    }),
  },
  { additionalProperties: false },
);

const Text = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 200, description }));
const TriggerBody = Shape('StationTrigger', {
  serial: Text('serial number of the product'),
  lot: Text('lot that the product is of'),
  fields: Type.Optional(ItemFields),
});

const ItemInWork = Shape('ItemInWork', { item_id: Type.String(), status: Type.String() });

// The handler reads the form as a stream and checks it; the schema documents it.
const body = {
  content: { 'multipart/form-data': { schema: { required: ['files'], properties: imageFormProperties } } },
};

const shapes = {
  role: 'inspector',
  body,
  querystring: InspectQuery,
  response: { 200: Data(Item), 202: Data(ItemInWork) },
} as const;

export function inspectionRoutes(dependencies: {
  inspections: InspectionService;
  trigger: TriggerStation;
  items: ItemsService;
  predictions: PredictionService;
  inspectAt: InspectAtStation;
  view: ReturnType<typeof createItemView>;
}): FastifyPluginAsyncTypebox {
  const { inspections, items, predictions } = dependencies;

  const readItem = async (
    request: FastifyRequest,
    model: () => Promise<ModelRow | string>,
  ): Promise<{ item: UploadedItem; origin: ItemOrigin }> => {
    const upload = items.beginUpload();
    const fields = await readMultipart(request, {
      field: 'files',
      fields: imageFormFields,
      onFile: (name, bytes, { release }) =>
        upload.addFile(name, bytes, async (image) => predictions.checkImage(image, await model())).finally(release),
    });
    const { itemName, origin } = parseImageForm(fields);
    const [item] = upload.finish(itemName, true);
    if (!item) throw new Error('An upload without files was not refused.');
    return { item, origin };
  };

  /** The item with its verdict; undefined where that is not there, or came after the deadline. */
  const judgedView = (details: ItemDetails, deadline: number) => {
    if (details.item.status !== 'done' || performance.now() >= deadline) return undefined;
    return dependencies.view(details, { assessments: true, annotations: true });
  };
  const inWork = ({ item: { item_id, status } }: ItemDetails) => ({ item_id, status });

  return async (app) => {
    app.post(
      '/api/v1/models/:model_id/inspect',
      operationsOf('Models')('inspectByModel', 'ext: images of one product in, the judged item out', {
        ...shapes,
        params: ModelIdParams,
        errors: [400, 413, 422, 425],
      }),
      async (request, reply) => {
        const deadline = performance.now() + request.query.timeout_ms;
        const { item, origin } = await readItem(request, async () => request.params.model_id);
        const prediction = await predictions.prepare(request.params.model_id);
        const details = await inspections.inspect(item, origin, prediction, deadline);
        const judged = judgedView(details, deadline);
        if (!judged) return reply.status(202).send({ data: inWork(details) });
        return reply.status(200).send({ data: judged });
      },
    );
    app.post(
      '/api/v1/stations/:station_id/inspect',
      operationsOf('Stations')('inspectAtStation', 'ext: images of one product in, the judged item out', {
        ...shapes,
        params: StationIdParams,
        errors: [404, 409, 413, 422, 425],
      }),
      async (request, reply) => {
        const deadline = performance.now() + request.query.timeout_ms;
        const { station_id: stationId } = request.params;
        const read = (model: () => Promise<ModelRow>) => readItem(request, model);
        const details = await dependencies.inspectAt(stationId, read, deadline);
        const judged = judgedView(details, deadline);
        if (!judged) return reply.status(202).send({ data: inWork(details) });
        return reply.status(200).send({ data: judged });
      },
    );
    app.post(
      '/api/v1/stations/:station_id/trigger',
      operationsOf('Stations')('triggerStation', 'ext: its camera takes an image; the judged item out', {
        role: 'inspector',
        params: StationIdParams,
        querystring: InspectQuery,
        body: Nullable(TriggerBody),
        response: shapes.response,
        errors: [404, 409, 422, 425],
      }),
      async (request, reply) => {
        const deadline = performance.now() + request.query.timeout_ms;
        const details = await dependencies.trigger(request.params.station_id, request.body ?? {}, deadline);
        const judged = judgedView(details, deadline);
        if (!judged) return reply.status(202).send({ data: inWork(details) });
        return reply.status(200).send({ data: judged });
      },
    );
  };
}
