import Fastify, { type FastifyInstance } from 'fastify';
import { addItemFieldNames, parseAddItemFields } from '../../src/domains/items/add-item-fields.ts';
import { parseUploadedName } from '../../src/domains/items/uploaded-name.ts';
import { AppError } from '../../src/errors.ts';
import { registerErrorHandler } from '../../src/http/error-handler.ts';
import { readMultipart, registerUploads, UploadMemory } from '../../src/http/uploads.ts';
import { say } from '../../src/messages/message.ts';
import type { Random } from '../../src/vision/types.ts';
import { pick } from './fuzz-target.ts';
import { mutate, mutateText } from './mutate.ts';

const boundary = '----kensa7';
const form = (parts: readonly (readonly [head: string, body: string])[]): Uint8Array =>
  Buffer.from(
    `${parts.map(([head, body]) => `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${body}\r\n`).join('')}--${boundary}--\r\n`,
  );
const bodies = [
  form([
    ['name="training"', 'true'],
    ['name="files"; filename="part7/top.png"\r\nContent-Type: image/png', '\u0089PNG'],
  ]),
  form([
    ['name="files[0]"; filename*=UTF-8\'\'%E9%83%A8%E5%93%81.png\r\nContent-Transfer-Encoding: base64', 'AAAA'],
    ['name="training"\r\nContent-Type: text/plain; charset=utf-16', 'false'],
    ['name="__proto__"', '{"x":1}'],
    ['name="good"', ''],
  ]),
  form([]),
];
const contentTypes = [`multipart/form-data; boundary=${boundary}`, `multipart/form-data; boundary="${boundary}"`];
const patienceMs = 5000;

/** The way of an upload: the form's parts, its fields, the names of its files. */
async function buildUploadApp(): Promise<FastifyInstance> {
  const app = Fastify({ logger: false });
  registerErrorHandler(app);
  await registerUploads(app, new UploadMemory(1_000_000));
  app.post('/', async (request) => {
    const files: unknown[] = [];
    const fields = await readMultipart(request, {
      field: 'files',
      fields: addItemFieldNames,
      onFile: async (name, bytes, { release }) => {
        files.push(parseUploadedName(name), bytes.length);
        release();
      },
    });
    return { files, fields: parseAddItemFields(fields) };
  });
  app.addHook('onError', async (_request, _reply, error) => {
    thrown = error;
  });
  await app.ready();
  return app;
}

let thrown: Error | undefined;
let opened: Promise<FastifyInstance> | undefined;

export async function feedMultipart(random: Random): Promise<void> {
  opened ??= buildUploadApp();
  const app = await opened;
  const payload = Buffer.from(mutate(pick(bodies, random), random));
  const type = pick(contentTypes, random);
  // A header holds no control characters: Node refuses those before anyone sees them.
  const contentType = (random.integer(3) === 0 ? mutateText(type, random) : type).replace(/[^\u0020-\u007e]/g, '?');
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer')), patienceMs);
  });
  const answer = app.inject({ method: 'POST', url: '/', headers: { 'content-type': contentType }, payload });
  const response = await Promise.race([answer, late]).finally(() => clearTimeout(timer));
  if (response.statusCode === 200) return;
  const { errors } = response.json() as { errors?: { detail?: string } };
  if (response.statusCode >= 500 || !errors?.detail) throw new Error(`${response.statusCode} ${thrown?.stack}`);
  throw new AppError('malformed-body', { reason: say('text', { text: errors.detail }) });
}
