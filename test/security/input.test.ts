import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseUploadedName } from '../../src/domains/items/uploaded-name.ts';
import { redactSecrets } from '../../src/domains/system/debug-logs.service.ts';
import { parseIgnoreOuter } from '../../src/vision/anomaly-map/inspected-map.ts';
import { demoFiles } from '../support/demo-images.ts';
import { expectError } from '../support/expect-error.ts';
import { type Answer, startTestService, type TestService } from '../support/test-service.ts';

let service: TestService;
let jpeg: Uint8Array;
beforeAll(async () => {
  service = await startTestService({}, { work: false });
  jpeg = (await demoFiles({ good: 1, testGood: 0, testDefect: 0 })).training[0]?.bytes ?? new Uint8Array();
});
afterAll(() => service.stop());

const upload = (name: string, bytes: Uint8Array): Promise<Answer> =>
  service.upload([{ name, bytes }], { training: 'true' });

async function fetchFile(answer: Answer): Promise<Answer> {
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  const { item_ids } = answer.body['data'] as unknown as { item_ids: string[] };
  const item = (await service.call('GET', `/api/v1/items/${item_ids[0]}`)).body['data'] as unknown as {
    images: { url: string }[];
  };
  return service.call('GET', item.images[0]?.url ?? '', { token: null });
}

/** A PNG of one colour that says it has this many pixels: a few kilobytes that would unpack to gigabytes. */
function bombPng(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(data.length, 0);
    frame.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
  };
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const rows = deflateSync(Buffer.alloc(100_000), { level: 9 });
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]);
}

function crc32(data: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of data) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

describe('an image that is a weapon', () => {
  it('unpacks to gigabytes: refused by its header, named, at once', async () => {
    const memory = process.memoryUsage().rss;
    const errors = expectError(await upload('bomb.png', bombPng(60_000, 60_000)), 422, 'bomb.png');
    expect(errors.detail).toMatch(/60000×60000.*100 megapixels/);
    expect(process.memoryUsage().rss - memory).toBeLessThan(300 * 1024 * 1024);
  });

  it('has a frame for every millisecond, or a page for every byte: the first one counts', async () => {
    const pages = await sharp({ create: { width: 8, height: 8 * 400, channels: 3, background: 'red' } })
      .webp({ loop: 0, lossless: true })
      .toBuffer();
    expect((await upload('frames.webp', pages)).status).toBe(201);
  });

  it.each([
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    [
      'SVG behind an XML entity',
      '<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg>&x;</svg>',
    ],
    ['HTML', '<html><script>alert(1)</script></html>'],
    ['a GIF that is a script', 'GIF89a/*'],
    ['PostScript', '%!PS-Adobe-3.0 EPSF-3.0\n(/etc/passwd) run'],
    ['a PDF', '%PDF-1.7'],
  ])('is %s under the name of an image: refused by its content', async (_name, text) => {
    expectError(await upload('image.png', Buffer.from(text)), 422, 'image.png');
  });

  it('is a JPEG and a page at once: served as nothing but a JPEG', async () => {
    const polyglot = Buffer.concat([jpeg, Buffer.from('<html><script>alert(1)</script></html>')]);
    const { headers, bytes } = await fetchFile(await upload('page.html', polyglot));
    expect(headers['content-type']).toBe('image/jpeg');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['content-security-policy']).toBe("default-src 'none'; sandbox");
    expect(bytes.equals(polyglot)).toBe(true);
  });

  it('carries a script in its EXIF data: it stays inside the image, the thumbnail has none of it', async () => {
    const script = '<script>alert(document.domain)</script>';
    const bytes = await sharp(jpeg)
      .withExif({ IFD0: { ImageDescription: script, Artist: '=cmd|calc' } })
      .jpeg()
      .toBuffer();
    expect(bytes.includes(script)).toBe(true);
    const answer = await upload('exif.jpg', bytes);
    const { item_ids } = answer.body['data'] as unknown as { item_ids: string[] };
    const item = await service.call('GET', `/api/v1/items/${item_ids[0]}`);
    expect(JSON.stringify(item.body)).not.toContain('alert');
    const { images } = item.body['data'] as unknown as { images: { thumbnail_url: string }[] };
    const thumbnail = await service.call('GET', images[0]?.thumbnail_url ?? '', { token: null });
    expect(thumbnail.headers['content-type']).toBe('image/webp');
    expect(thumbnail.bytes.includes('alert')).toBe(false);
  });
});

describe('a name that is a weapon', () => {
  it.each([
    '../../../etc/cron.d/x.jpg',
    '..\\..\\boot.jpg',
    '/etc/passwd',
    'x\u0000.jpg',
    'a\r\nSet-Cookie: x=1.jpg',
    'con.jpg',
    '%2e%2e%2fx.jpg',
  ])('%j is only shown, and no path', async (name) => {
    const { headers } = await fetchFile(await upload(name, jpeg));
    expect(headers['set-cookie']).toBeUndefined();
    const stored = await readdir(service.dataDir, { recursive: true });
    const strange = stored.filter(
      (path) => !/^(blobs|cache|logs|kensa\.db|lock\.db)/.test(path) || path.includes('passwd'),
    );
    expect(strange).toEqual([]);
  });

  it('does not lead out of the folder of the page', async () => {
    for (const path of [
      '/../package.json',
      '/%2e%2e/package.json',
      '/assets/..%2f..%2fpackage.json',
      '/assets/%2e%2e/%2e%2e/package.json',
      '//etc/passwd',
    ]) {
      const { bytes } = await service.call('GET', path, { token: null });
      expect(bytes.includes('devDependencies'), path).toBe(false);
      expect(bytes.includes('root:'), path).toBe(false);
    }
  });
});

describe('a request that is a weapon', () => {
  it('adds no header of its own to the answer', async () => {
    for (const path of ['/api/v1/x%0d%0aSet-Cookie:%20a=b', '/api/v1/models/?algorithm_id=x%0d%0aX-Evil:%201']) {
      const { headers, status } = await service.call('GET', path, {
        headers: { 'accept-language': 'ja\u0009x', 'x-request-id': 'a\u0009b' },
      });
      expect(status).toBeGreaterThanOrEqual(400);
      expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['set-cookie']));
      expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['x-evil']));
    }
  });

  it('cannot change what all objects are', async () => {
    const bodies = [
      '{"__proto__":{"polluted":1}}',
      '{"constructor":{"prototype":{"polluted":1}}}',
      '{"item_ids":["a"],"__proto__":{"polluted":1}}',
    ];
    for (const body of bodies) {
      for (const [method, path] of [
        ['DELETE', '/api/v1/items/'],
        ['POST', '/api/v1/targets/'],
        ['POST', '/api/auth/token'],
      ] as const) {
        const response = await service.app.inject({
          method,
          url: path,
          headers: { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' },
          payload: body,
        });
        expect(response.statusCode).toBeGreaterThanOrEqual(400);
        expect(response.statusCode).toBeLessThan(500);
      }
    }
    const form = await service.upload([{ name: '__proto__/x.jpg', bytes: jpeg }], {
      training: 'true',
      __proto__x: '1',
    });
    expect(form.status).toBe(422);
    await service.call(
      'GET',
      '/api/v1/items/?item_type=training&__proto__[polluted]=1&constructor.prototype.polluted=1',
    );
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it.each([
    ['names', () => parseUploadedName(`${'a.'.repeat(50_000)}/${' '.repeat(100_000)}.`)],
    ['margins', () => expect(() => parseIgnoreOuter(`${' '.repeat(100_000)}${'9'.repeat(100_000)}x`)).toThrow()],
    [
      'log lines',
      () => redactSecrets(`${'eyJaaaaa.'.repeat(10_000)} Bearer ${' '.repeat(50_000)} ${'://'.repeat(20_000)}`),
    ],
  ])('of 100,000 characters keeps no pattern busy: %s', (_name, parse) => {
    const started = performance.now();
    parse();
    expect(performance.now() - started).toBeLessThan(3000);
  });

  it.each([
    ['cut off', '--b\r\nContent-Disposition: form-data; name="training"\r\n\r\ntr'],
    ['cut off in a file', '--b\r\nContent-Disposition: form-data; name="files"; filename="a.png"\r\n\r\n\u0089PNG'],
    ['no form at all', 'training=true'],
    ['without a name', '--b\r\nContent-Disposition: form-data\r\n\r\ntrue\r\n--b--\r\n'],
  ])('that is a form and %s is refused in words', async (_name, payload) => {
    for (const url of ['/api/v1/items/', '/api/v1/utils/', '/api/v1/models/import']) {
      const headers = {
        authorization: `Bearer ${service.token}`,
        'content-type': 'multipart/form-data; boundary=b',
      };
      const response = await service.app.inject({ method: 'POST', url, headers, payload });
      expect(response.statusCode, url).toBeGreaterThanOrEqual(400);
      expect(response.statusCode, url).toBeLessThan(500);
      expect(response.json().errors.detail, url).toMatch(/form|field|part|known here/);
    }
  });

  it('of a size nobody needs is refused before it is read', async () => {
    const payload = `{"item_ids":["${'x'.repeat(17 * 1024 * 1024)}"]}`;
    const headers = { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' };
    expect((await service.app.inject({ method: 'DELETE', url: '/api/v1/items/', headers, payload })).statusCode).toBe(
      413,
    );
  });
});

describe('an answer', () => {
  it.each(['/', '/api/v1/models/', '/healthz', '/nowhere', '/openapi.json'])(
    'to %s lets no other page frame it, and no content be guessed',
    async (path) => {
      const { headers } = await service.call('GET', path);
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['x-frame-options']).toBe('SAMEORIGIN');
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      const scripts = /(?:^|;)script-src ([^;]*)/.exec(String(headers['content-security-policy']))?.[1];
      expect(scripts ?? "'none'").toMatch(/^'(self|none)'$/);
      expect(headers['referrer-policy']).toBe('no-referrer');
      expect(headers['x-powered-by']).toBeUndefined();
    },
  );

  it('never says where the service keeps its code or its data', async () => {
    const { bytes } = await service.call('GET', '/api/v1/items/%00');
    expect(bytes.toString()).not.toMatch(/node_modules|at \w+ \(|\/src\//);
    expect(bytes.toString()).not.toContain(join(service.dataDir));
  });
});
