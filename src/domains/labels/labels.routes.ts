import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { Int32, Shape } from '../../http/common-schemas.ts';
import { operationsOf } from '../../http/operation.ts';
import type { LabelsService } from './labels.service.ts';

const Label = Shape('Label', {
  label: Int32({ minimum: 0, description: 'class number of annotations' }),
  name: Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' }),
});
const LabelsBody = Shape('LabelsBody', { labels: Type.Array(Label, { maxItems: 1000 }) });

export function labelsRoutes(labels: LabelsService): FastifyPluginAsyncTypebox {
  const operation = operationsOf('Labels');
  return async (app) => {
    app.get(
      '/api/v1/labels',
      operation('getLabels', 'ext: names of the label numbers', { role: 'viewer', answer: Type.Array(Label) }),
      async () => ({ data: await labels.listLabels() }),
    );
    app.put(
      '/api/v1/labels',
      operation('setLabels', 'ext: replace the names of the label numbers', {
        role: 'engineer',
        body: LabelsBody,
        answer: Type.Array(Label),
        errors: [422],
      }),
      async ({ body }) => ({ data: await labels.replaceLabels(body.labels) }),
    );
  };
}
