import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';

type Json = { [key: string]: unknown };

/** Serves the document at `/openapi.json` and a page to try it at `/docs`, made from the schemas that validate. */
export async function registerOpenApi(app: FastifyInstance, version: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Kensa',
        version,
        description: 'Visual inspection: images in, verdicts out.',
        license: { name: 'Apache-2.0' },
      },
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
          oauth2: {
            type: 'oauth2',
            flows: { clientCredentials: { tokenUrl: '/api/auth/token', scopes: { all: 'everything' } } },
          },
        },
      },
      security: [{ bearer: [] }, { oauth2: ['all'] }],
    },
    transformObject: (documents) =>
      'openapiObject' in documents ? hoistTitledSchemas(documents.openapiObject) : documents.swaggerObject,
  });
  await app.register(swaggerUi, { routePrefix: '/docs', uiConfig: { persistAuthorization: false } });
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger());
}

/** Fields with a default are optional in requests, although handlers always see a value. */
function leaveDefaultsOut(node: Json): void {
  const hasDefault = (schema: unknown): boolean => Object(schema).default !== undefined;
  if (node['in'] === 'query' && node['required'] === true && hasDefault(node['schema'])) node['required'] = false;
  if (!Array.isArray(node['required']) || typeof node['properties'] !== 'object') return;
  const properties = node['properties'] as Json;
  node['required'] = node['required'].filter((name) => !hasDefault(properties[name]));
}

/**
 * Moves every object schema with a `title` to `components.schemas` and leaves a reference, so that the document
 * names each shape once and generated clients get types with names.
 * @throws where two different shapes carry the same title.
 */
function hoistTitledSchemas<T extends object>(document: T): T {
  const schemas: Record<string, Json> = {};
  const visit = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(visit);
    if (typeof node !== 'object' || node === null) return node;
    const copy: Json = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, visit(value)]));
    leaveDefaultsOut(copy);
    if (copy['type'] !== 'object' || typeof copy['title'] !== 'string') return copy;
    const { title, ...schema } = copy as { title: string } & Json;
    const known = schemas[title];
    if (known && JSON.stringify(known) !== JSON.stringify(schema)) throw new Error(`Two schemas are titled ${title}.`);
    schemas[title] = schema;
    return { $ref: `#/components/schemas/${title}` };
  };
  const { components, ...rest } = document as { components?: Json };
  const hoisted = visit(rest) as Json;
  return { ...hoisted, components: { ...components, schemas } } as unknown as T;
}
