import { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Binary } from '../../http/common-schemas.ts';
import { operationsOf } from '../../http/operation.ts';
import { arrayQuery } from '../../http/request-hooks.ts';
import { ModelIdsQuery } from '../models/models.schemas.ts';
import type { ResultsService } from './results.service.ts';

export function resultsRoutes(results: ResultsService): FastifyPluginAsyncTypebox {
  const operation = operationsOf('Inspection targets');
  return async (app) => {
    app.post(
      '/api/v1/targets/model/results',
      {
        preValidation: arrayQuery('model_ids'),
        ...operation('getModelResults', 'Results of models as CSV; no model_ids: of all models', {
          querystring: ModelIdsQuery,
          response: { 200: Binary('application/octet-stream', 'CSV, RFC 4180, one row per item image and model') },
          errors: [404, 422],
        }),
      },
      async ({ query, headers }, reply) => {
        const csv = await results.openCsv(query.model_ids);
        const asText = headers.accept?.includes('text/csv') === true;
        return reply
          .header('content-type', asText ? 'text/csv; charset=utf-8' : 'application/octet-stream')
          .header('content-disposition', 'attachment; filename="kensa-results.csv"')
          .send(Readable.from(csv) as never);
      },
    );
  };
}
