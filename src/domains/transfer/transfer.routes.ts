import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { Binary, Id, Shape } from '../../http/common-schemas.ts';
import { operationsOf } from '../../http/operation.ts';
import { spoolUpload } from '../../http/uploads.ts';
import { Model, type ModelView } from '../models/models.schemas.ts';

const ExportRequest = Shape('ExportRequest', {
  model_ids: Type.Array(Id('model'), { minItems: 1, maxItems: 1000 }),
});

const importBody = {
  type: 'object',
  required: ['models'],
  properties: { models: { type: 'string', format: 'binary', description: 'zip file of an export' } },
} as const;

const maxImportBytes = 4 * 1024 ** 3;

export function transferRoutes(dependencies: {
  exportModels: (modelIds: readonly string[]) => Promise<NodeJS.ReadableStream>;
  importModels: (zipPath: string) => Promise<ModelView[]>;
  spoolDir: string;
}): FastifyPluginAsyncTypebox {
  const operation = operationsOf('Models');
  return async (app) => {
    app.post(
      '/api/v1/models/export',
      operation('exportModelsWithId', 'Models as a zip file, with all that they need elsewhere', {
        role: 'engineer',
        body: ExportRequest,
        response: { 200: Binary('application/zip', 'zip file with the models') },
        errors: [404, 422],
      }),
      async ({ body }, reply) =>
        reply
          .header('content-type', 'application/zip')
          .header('content-disposition', 'attachment; filename="kensa-models.zip"')
          .send((await dependencies.exportModels(body.model_ids)) as never),
    );
    app.post(
      '/api/v1/models/import',
      {
        // The handler reads the body as a stream and checks it; the schema documents it.
        validatorCompiler: () => () => true,
        ...operation('importModels', 'Take over exported models, all or none', {
          role: 'engineer',
          consumes: ['multipart/form-data'],
          body: importBody,
          answer: Type.Array(Model),
          errors: [413, 422],
        }),
      },
      async (request) => {
        const options = { field: 'models', folder: dependencies.spoolDir, maxBytes: maxImportBytes };
        return { data: await spoolUpload(request, options, dependencies.importModels) };
      },
    );
  };
}
