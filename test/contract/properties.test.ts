import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestService, type TestService } from '../support/test-service.ts';
import { trainSmallModel } from '../support/trained-model.ts';
import type { Json } from './compare-openapi.ts';
import { type ApiRequest, type KnownIds, requestsOf } from './request-arbitraries.ts';

const runs = Number(process.env['KENSA_PROPERTY_RUNS'] ?? 800);
const seed = Number(process.env['KENSA_PROPERTY_SEED'] ?? 20261121);

let service: TestService;
let served: Json;
let ids: KnownIds;
const ajv = new Ajv({ strict: false, allErrors: true });
(addFormats as unknown as (target: Ajv) => void)(ajv);

beforeAll(async () => {
  service = await startTestService({ KENSA_LOGIN_ATTEMPTS: '100000', KENSA_QUEUE_LIMIT: '200' });
  const { modelId, itemIds } = await trainSmallModel(service);
  served = (await service.call('GET', '/openapi.json')).body;
  ajv.addSchema({ $id: 'served', ...served });
  ids = { item_id: itemIds, model_id: [modelId, 'active'], target_id: ['1'], algorithm_id: ['patchcore'] };
});
afterAll(() => service.stop());

async function send({ method, path, query, body }: ApiRequest) {
  const search = new URLSearchParams(query.map(([name, value]): [string, string] => [name, value])).toString();
  const headers: Record<string, string> = { authorization: `Bearer ${service.token}` };
  let payload: Buffer | undefined;
  if (body.kind === 'json') payload = Buffer.from(JSON.stringify(body.value) ?? 'null');
  if (body.kind === 'raw') payload = Buffer.from(body.text);
  if (body.kind === 'form') {
    const form = new FormData();
    for (const [name, value] of body.fields) {
      if (typeof value === 'string') form.append(name, value);
      else form.append(name, new Blob([new Uint8Array(value)]), 'file.png');
    }
    const request = new Request('http://localhost/', { method: 'POST', body: form });
    payload = Buffer.from(await request.arrayBuffer());
    headers['content-type'] = request.headers.get('content-type') ?? '';
  } else if (body.kind !== 'none') {
    headers['content-type'] = body.kind === 'json' ? 'application/json' : body.contentType;
  }
  const url = `${path}${search === '' ? '' : `?${search}`}`;
  return service.app.inject({ method: method.toUpperCase() as 'GET', url, headers, ...(payload ? { payload } : {}) });
}

/** What is wrong with an answer; undefined where nothing is. */
function complaintAbout(request: ApiRequest, answer: Awaited<ReturnType<typeof send>>): string | undefined {
  const { statusCode: status } = answer;
  // A request before it may have asked for more free space than the disk has. No other failure is right.
  const isShort = status === 507 && answer.json().errors?.values?.reason?.code === 'retention.short';
  if (status >= 500 && !isShort) return `it answered ${status}: ${answer.body}`;
  const responses = `/paths/${pointer(request.template)}/${request.method}/responses`;
  const known = (served['paths'] as Record<string, Record<string, Json>>)[request.template]?.[request.method];
  const documented = (known?.['responses'] ?? {}) as Record<string, Json>;
  const key = status in documented ? String(status) : 'default';
  if (status < 400 && key === 'default') return `status ${status} is not documented`;
  const content = (documented[key]?.['content'] ?? {}) as Record<string, { schema?: Json }>;
  const type = String(answer.headers['content-type'] ?? '').split(';')[0] ?? '';
  const isError = status >= 400;
  if (isError && type !== 'application/json') return `an error of type ${type}`;
  if (!isError && Object.keys(content).length > 0 && !(type in content)) return `an answer of type ${type}`;
  if (type !== 'application/json') return undefined;
  const where = isError
    ? 'served#/components/schemas/BaseError'
    : `served#${responses}/${key}/content/application~1json/schema`;
  const validate = ajv.getSchema(where);
  if (!validate) return undefined;
  return validate(answer.json()) ? undefined : `${ajv.errorsText(validate.errors)} in ${answer.body.slice(0, 500)}`;
}

const pointer = (text: string): string => encodeURIComponent(text.replaceAll('~', '~0').replaceAll('/', '~1'));

it(`answers ${runs} requests, valid and invalid, as the OpenAPI document says and never with 500`, async () => {
  const paths = Object.entries(served['paths'] as Record<string, Record<string, Json>>);
  const operations = paths.flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, operation]) => requestsOf(method, template, operation, { served, ids })),
  );
  const statuses = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(fc.oneof(...operations), async (request) => {
      const answer = await send(request);
      statuses.set(answer.statusCode, (statuses.get(answer.statusCode) ?? 0) + 1);
      const complaint = complaintAbout(request, answer);
      if (complaint !== undefined) throw new Error(`${request.method} ${request.path}: ${complaint}`);
    }),
    { numRuns: runs, seed },
  );
  console.info('answers by status', Object.fromEntries([...statuses].sort()));
  const succeeded = [...statuses].filter(([status]) => status < 300).reduce((total, [, count]) => total + count, 0);
  expect(succeeded / runs, 'enough of the requests are valid').toBeGreaterThan(0.2);
}, 3_600_000);

it('answers unknown paths and methods with the one error body', async () => {
  const unusual = fc.record({
    method: fc.constantFrom('get', 'post', 'put', 'patch', 'delete'),
    path: fc.webPath({ size: 'small' }).map((path) => `/api/v1/nowhere${path}`),
  });
  await fc.assert(
    fc.asyncProperty(unusual, async ({ method, path }) => {
      const request: ApiRequest = { method, template: path, path, query: [], body: { kind: 'none' } };
      const answer = await send(request);
      expect(answer.statusCode).toBe(404);
      expect(complaintAbout(request, answer)).toBeUndefined();
    }),
    { numRuns: 50, seed },
  );
});
