import { decodeJwt, SignJWT } from 'jose';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoFiles } from '../support/demo-images.ts';
import { expectError } from '../support/expect-error.ts';
import { startTestService, type TestService, testClient } from '../support/test-service.ts';

let service: TestService;
let image: Uint8Array;
let itemId: string;

const count = async (table: 'items' | 'models' | 'annotations'): Promise<number> =>
  (await service.db.selectFrom(table).selectAll().execute()).length;

beforeAll(async () => {
  // No background work: what is refused must be refused at the door.
  service = await startTestService({}, { work: true });
  const { training } = await demoFiles({ good: 1, testGood: 0, testDefect: 0 });
  image = training[0]?.bytes ?? new Uint8Array();
  const answer = await service.upload([{ name: 'image.jpg', bytes: image }], { training: 'false' });
  itemId = (answer.body as unknown as { data: { item_ids: string[] } }).data.item_ids[0] ?? '';
});
afterAll(() => service.stop());

describe('files that are no usable image', () => {
  /** A PNG whose header promises 30,000 × 30,000 pixels in a few bytes. */
  const bomb = (): Buffer => {
    const header = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
    const size = Buffer.alloc(8);
    size.writeUInt32BE(30_000, 0);
    size.writeUInt32BE(30_000, 4);
    return Buffer.concat([header, size, Buffer.from('0802000000', 'hex'), Buffer.alloc(2000)]);
  };

  it.each([
    ['text.jpg', () => Buffer.from('this is no image, whatever its name says')],
    ['empty.png', () => Buffer.alloc(0)],
    ['truncated.jpg', () => Buffer.from(image.slice(0, image.length / 2))],
    ['bomb.png', bomb],
    ['drawing.svg', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
  ])('refuses %s and stores nothing of the request', async (name, bytes) => {
    const before = await count('items');
    const files = [
      { name: 'good.jpg', bytes: image },
      { name, bytes: bytes() },
    ];
    expectError(await service.upload(files, { training: 'false' }), 422, name);
    expect(await count('items')).toBe(before);
  });

  it('takes an image by its content, not by its name', async () => {
    const png = await sharp({ create: { width: 40, height: 30, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    const answer = await service.upload([{ name: 'really-a-png.jpg', bytes: png }], { training: 'false' });
    expect(answer.status).toBe(201);
  });

  it('refuses an upload without files, and one without "training"', async () => {
    expectError(await service.upload([], { training: 'true' }), 422, 'files');
    expectError(await service.upload([{ name: 'a.jpg', bytes: image }], {}), 422, 'training');
    expectError(await service.upload([{ name: 'a.jpg', bytes: image }], { training: 'perhaps' }), 422, 'training');
    expectError(
      await service.upload([{ name: 'a.jpg', bytes: image }], { training: 'true', colour: 'red' }),
      422,
      'colour',
    );
  });
});

describe('requests without the right to make them', () => {
  const forged = (claims: object, secret = 'x'.repeat(32)) =>
    new SignJWT({ scope: 'all', ...claims })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject(testClient.clientId)
      .setIssuer('kensa')
      .setAudience('kensa-api')
      .setExpirationTime('1h')
      .sign(Buffer.from(secret));

  it('refuses a missing, mangled, forged or unsigned token', async () => {
    expectError(await service.call('GET', '/api/v1/models/', { token: null }), 401);
    expectError(await service.call('GET', '/api/v1/models/', { token: 'nonsense' }), 401);
    expectError(await service.call('GET', '/api/v1/models/', { token: await forged({}) }), 401);
    const [, claims] = service.token.split('.');
    const unsigned = `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${claims}.`;
    expectError(await service.call('GET', '/api/v1/models/', { token: unsigned }), 401);
  });

  it('refuses an expired token, and one of another audience or issuer', async () => {
    const { cred } = decodeJwt(service.token);
    const rows = await service.db.selectFrom('settings').selectAll().where('key', '=', 'token_secret').execute();
    const key = Buffer.from(rows[0]?.value ?? '', 'base64');
    const sign = (audience: string, expires: string, issuer = 'kensa') =>
      new SignJWT({ scope: 'all', cred })
        .setProtectedHeader({ alg: 'HS256' })
        .setSubject(testClient.clientId)
        .setIssuer(issuer)
        .setAudience(audience)
        .setIssuedAt()
        .setExpirationTime(expires)
        .sign(key);
    expect((await service.call('GET', '/api/v1/models/', { token: await sign('kensa-api', '1h') })).status).toBe(200);
    expectError(await service.call('GET', '/api/v1/models/', { token: await sign('kensa-api', '-1s') }), 401);
    expectError(await service.call('GET', '/api/v1/models/', { token: await sign('another', '1h') }), 401);
    const ofAnother = await sign('kensa-api', '1h', 'another');
    expectError(await service.call('GET', '/api/v1/models/', { token: ofAnother }), 401);
  });

  it('refuses wrong credentials in the same words whether the client exists or not', async () => {
    const login = (body: object) => service.call('POST', '/api/auth/token', { body, token: null });
    const wrong = { client_id: testClient.clientId, client_secret: 'wrong', grant_type: 'client_credentials' };
    const one = expectError(await login(wrong), 401);
    const other = expectError(await login({ ...wrong, client_id: 'nobody' }), 401);
    expect(one).toEqual(other);
    expectError(await login({ ...wrong, client_secret: testClient.secret, grant_type: 'password' }), 422, 'grant_type');
    expectError(await login({ client_id: 'x' }), 422, 'client_secret');
  });

  it('takes form-encoded credentials', async () => {
    const form = new URLSearchParams({
      client_id: testClient.clientId,
      client_secret: testClient.secret,
      grant_type: 'client_credentials',
    });
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await service.call('POST', '/api/auth/token', { body: form.toString(), headers, token: null });
    expect(answer.body).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'all' });
  });
});

describe('values that make no sense', () => {
  it.each([
    ['count=0', 'count'],
    ['page=-1', 'page'],
    ['count=1000000000', 'count'],
    ['count=many', 'count'],
    ['colour=red', 'colour'],
    ['item_type=holiday', 'item_type'],
  ])('refuses a list with %s', async (query, key) => {
    const prefix = query.startsWith('item_type') ? '' : 'item_type=training&';
    expectError(await service.call('GET', `/api/v1/items/?${prefix}${query}`), 422, key);
  });

  it('names unknown ids', async () => {
    expectError(await service.call('GET', '/api/v1/items/nobody'), 404);
    expectError(await service.call('GET', '/api/v1/models/nobody'), 404);
    expectError(await service.call('GET', '/api/v1/algorithms/nobody'), 404);
    expectError(await service.call('GET', '/api/v1/targets/999'), 404);
    expectError(await service.call('GET', '/api/v1/nowhere'), 404);
    expectError(await service.call('POST', '/api/v1/models/nobody/predict', { body: { item_ids: [itemId] } }), 400);
    expectError(await service.call('PATCH', '/api/v1/items/nobody', { body: { annotations: [] } }), 404);
  });

  it.each([
    [{ item_ids: [] }, 'item_ids'],
    [{ item_ids: 'x' }, 'item_ids'],
    [{ item_ids: [5] }, 'item_ids.0'],
    [{}, 'item_ids'],
    [{ item_ids: ['x'], extra: 1 }, 'extra'],
  ])('refuses to delete %j', async (body, key) => {
    expectError(await service.call('DELETE', '/api/v1/items/', { body }), 422, key);
  });

  it('refuses a zero character wherever it comes, and stores nothing of it', async () => {
    const zero = { annotations: [{ x_min: 0, x_max: 9, y_min: 0, y_max: 9, notes: 'dust\0' }] };
    const [items, annotations] = [await count('items'), await count('annotations')];
    expectError(await service.call('GET', '/api/v1/items/x%00'), 422, 'item_id');
    expectError(await service.call('GET', '/api/v1/items/?item_type=training&model_id=m&name=%00'), 422, 'name');
    expectError(await service.call('PATCH', `/api/v1/items/${itemId}`, { body: zero }), 422, 'annotations.0.notes');
    expectError(
      await service.call('DELETE', '/api/v1/items/', { body: { item_ids: ['a', 'b\0'] } }),
      422,
      'item_ids.1',
    );
    const named = { training: 'true', item_name: 'part\0 7' };
    expectError(await service.upload([{ name: 'a.jpg', bytes: image }], named), 422, 'item_name');
    const login = { client_id: 'line\0', client_secret: 'secret', grant_type: 'client_credentials' };
    expectError(await service.call('POST', '/api/auth/token', { body: login, token: null }), 422, 'client_id');
    expect([await count('items'), await count('annotations')]).toEqual([items, annotations]);
  });

  it('refuses a body that is no JSON', async () => {
    const headers = { 'content-type': 'application/json' };
    expectError(await service.call('PATCH', `/api/v1/items/${itemId}`, { body: '{"annotations":', headers }), 400);
    const xml = { 'content-type': 'text/xml' };
    expectError(await service.call('PATCH', `/api/v1/items/${itemId}`, { body: '<a/>', headers: xml }), 415);
  });

  it.each([
    [{ x_min: 50, x_max: 10, y_min: 0, y_max: 10 }, 'annotations.0.x_min'],
    [{ x_min: -1, x_max: 10, y_min: 0, y_max: 10 }, 'annotations.0.x_min'],
    [{ x_min: 0, x_max: 10, y_min: 0, y_max: 9999 }, 'annotations.0.y_max'],
    [{ x_min: 0, x_max: 10, y_min: 0 }, 'annotations.0.y_max'],
    [{ x_min: 0, x_max: 10, y_min: 0, y_max: 10, image: 'other.jpg' }, 'annotations.0.image'],
  ])('refuses the region %j and keeps what was there', async (region, key) => {
    const before = await count('annotations');
    expectError(await service.call('PATCH', `/api/v1/items/${itemId}`, { body: { annotations: [region] } }), 422, key);
    expect(await count('annotations')).toBe(before);
  });
});

describe('trainings that cannot start', () => {
  const train = (body: object) => service.call('POST', '/api/v1/algorithms/patchcore/train', { body });

  it('refuses to train without good items', async () => {
    expectError(await train({}), 422, 'item_ids');
    expect(await count('models')).toBe(0);
  });

  it('names unknown, repeated and unjudged items', async () => {
    expectError(await train({ item_ids: ['nobody'] }), 422, 'item_ids');
    const twice = await train({ item_ids: [itemId, itemId] });
    expect(expectError(twice, 422, 'item_ids').detail).toContain('twice');
    expectError(await train({ item_ids: [itemId] }), 422, 'item_ids');
    expect(await count('models')).toBe(0);
  });

  it('names parameters that are unknown, out of range or of the wrong type', async () => {
    const answer = await service.call('GET', '/api/v1/algorithms/patchcore');
    const { parameters } = (
      answer.body as unknown as { data: { parameters: { algorithm_parameter_id: number; name: string }[] } }
    ).data;
    const size = parameters.find((parameter) => parameter.name === 'image_size')?.algorithm_parameter_id ?? 0;
    const override = (id: number, value: unknown) =>
      train({ override_params: [{ algorithm_parameter_id: id, value }] });
    expectError(await override(99_999, '1'), 422, '99999');
    expectError(await override(size, '-5'), 422, 'image_size');
    expectError(await override(size, 'large'), 422, 'image_size');
    expectError(await override(size, 5), 422, 'override_params.0.value');
    expect(await count('models')).toBe(0);
  });
});

describe('unusual but honest requests', () => {
  interface Model {
    model_id: string;
    status: string;
    status_text: string;
  }
  const data = <T>(answer: { body: object }): T => (answer.body as { data: T }).data;

  async function finished(modelId: string): Promise<Model> {
    for (;;) {
      const model = data<Model>(await service.call('GET', `/api/v1/models/${modelId}`));
      if (model.status !== 'queued' && model.status !== 'training') return model;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  it.each([1, 2])(
    'trains on %i good images of different sizes, and says what they are good for',
    async (images) => {
      const { training } = await demoFiles({ good: images, testGood: 0, testDefect: 0 }, { pixels: 200 });
      const other = await demoFiles({ good: images, testGood: 0, testDefect: 0 }, { pixels: 280 });
      const files = images === 1 ? training : [...training.slice(0, 1), ...other.training.slice(1)];
      const uploaded = data<{ item_ids: string[] }>(await service.upload(files, { training: 'true', good: 'true' }));
      const started = await service.call('POST', '/api/v1/algorithms/patchcore/train', {
        body: { item_ids: uploaded.item_ids },
      });
      const model = await finished(data<Model>(started).model_id);
      expect(model.status, model.status_text).toBe('ready');
      expect(model.status_text).toMatch(/add \d+/);
    },
    60_000,
  );

  it('lets a model be deleted while it predicts', async () => {
    const models = data<Model[]>(await service.call('GET', '/api/v1/models/'));
    const modelId = models[0]?.model_id ?? '';
    const asked = await service.call('POST', `/api/v1/models/${modelId}/predict`, { body: { item_ids: [itemId] } });
    expect(asked.status).toBe(200);
    expect((await service.call('DELETE', `/api/v1/models/?model_ids=${modelId}`)).status).toBe(200);
    for (let tries = 0; tries < 200; tries++) {
      const item = data<{ status: string; assessments: unknown[] }>(
        await service.call('GET', `/api/v1/items/${itemId}`),
      );
      if (item.status === 'pending') {
        expect(item.assessments).toEqual([]);
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error('The item still waits for a model that is gone.');
  }, 30_000);

  it('leaves a training cancelled at whatever moment it is cancelled', async () => {
    for (let delayMs = 0; delayMs < 24; delayMs += 1) {
      const started = await service.call('POST', '/api/v1/algorithms/patchcore/train', { body: {} });
      const { model_id: modelId } = data<Model>(started);
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      expect(data<Model>(await service.call('POST', `/api/v1/models/${modelId}/cancel`)).status).toBe('cancelled');
      expect(data<Model>(await service.call('GET', `/api/v1/models/${modelId}`)).status).toBe('cancelled');
    }
  }, 60_000);

  it('cancels a training, and refuses to cancel it again', async () => {
    const started = await service.call('POST', '/api/v1/algorithms/patchcore/train', { body: {} });
    const { model_id: modelId } = data<Model>(started);
    expect(data<Model>(await service.call('POST', `/api/v1/models/${modelId}/cancel`)).status).toBe('cancelled');
    expectError(await service.call('POST', `/api/v1/models/${modelId}/cancel`), 422);
    const refused = await service.call('POST', `/api/v1/models/${modelId}/predict`, { body: { item_ids: [itemId] } });
    expectError(refused, 400);
  });
});
