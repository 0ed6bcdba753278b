import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { operationsOf } from '../../http/operation.ts';
import type { FilesService } from './files.service.ts';

/** Links from `image.url`: readable without a header, because the link itself is signed. */
export function filesRoutes(files: FilesService): FastifyPluginAsyncTypebox {
  const operation = operationsOf('Files');
  return async (app) => {
    app.get(
      '/api/v1/files/:variant/:file',
      operation('getFile', 'An image, thumbnail or heatmap by its signed link', {
        role: 'open',
        params: Type.Object({
          variant: Type.Enum(['image', 'thumbnail', 'heatmap', 'anomaly-map']),
          file: Type.String({ pattern: '^[0-9a-f]{64}\\.[a-z]{3,4}$' }),
        }),
        querystring: Type.Object({
          expires: Type.String({ maxLength: 12 }),
          signature: Type.String({ maxLength: 64 }),
        }),
        response: {
          200: { description: 'the file', content: { 'image/*': { schema: { type: 'string', format: 'binary' } } } },
        },
        errors: [403, 404, 410],
      }),
      async (request, reply) => {
        const { variant, file } = request.params;
        const { expires, signature } = request.query;
        const content = await files.open(variant, file, expires, signature);
        return reply
          .header('content-type', content.contentType)
          .header('content-length', content.size)
          .header('cache-control', 'private, max-age=3600, immutable')
          .header('content-security-policy', "default-src 'none'; sandbox")
          .header('content-disposition', 'inline')
          .send(content.body as never);
      },
    );
  };
}
