import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { Data, errorResponses, Int32, Shape } from '../../http/common-schemas.ts';
import type { LabelsService } from './labels.service.ts';

const Label = Shape('Label', {
  label: Int32({ minimum: 0, description: 'class number of annotations' }),
  name: Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' }),
});
const LabelsBody = Shape('LabelsBody', { labels: Type.Array(Label, { maxItems: 1000 }) });

export function labelsRoutes(labels: LabelsService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/api/v1/labels',
      {
        schema: {
          operationId: 'getLabels',
          tags: ['Labels'],
          summary: 'ext: names of the label numbers',
          response: { 200: Data(Type.Array(Label)), ...errorResponses() },
        },
      },
      async () => ({ data: await labels.listLabels() }),
    );
    app.put(
      '/api/v1/labels',
      {
        schema: {
          operationId: 'setLabels',
          tags: ['Labels'],
          summary: 'ext: replace the names of the label numbers',
          body: LabelsBody,
          response: { 200: Data(Type.Array(Label)), ...errorResponses(422) },
        },
      },
      async ({ body }) => ({ data: await labels.replaceLabels(body.labels) }),
    );
  };
}
