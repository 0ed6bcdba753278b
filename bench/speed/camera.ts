import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import type { ItemView } from '../../src/domains/items/items.schemas.ts';

/** A file to send: its bytes in pieces, which are never joined. */
export interface UploadedFile {
  readonly name: string;
  readonly pieces: readonly Uint8Array[];
}

/** Uploads and predicts over one kept connection. It does little work, since it shares the cores that are measured. */
export interface Camera {
  /** All in one request. @returns the ids of the new items. */
  upload(images: readonly UploadedFile[], fields: Readonly<Record<string, string>>): Promise<string[]>;
  predict(itemId: string): Promise<void>;
  /** Milliseconds since 1970 of the item's newest verdict, once there is one. */
  findVerdictTime(itemId: string): Promise<number | undefined>;
  close(): void;
}

export function createCamera(baseUrl: string, token: string): Camera {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const boundary = `camera-${randomUUID()}`;

  const send = (method: string, path: string, type?: string, parts: readonly (string | Uint8Array)[] = []) =>
    new Promise<unknown>((resolve, reject) => {
      const length = parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
      const body = type === undefined ? {} : { 'content-type': type, 'content-length': length };
      const headers = { authorization: `Bearer ${token}`, ...body };
      const sent = request(`${baseUrl}${path}`, { method, agent, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          if ((response.statusCode ?? 500) < 300) resolve((JSON.parse(text) as { data: unknown }).data);
          else reject(new Error(`${method} ${path} was answered with ${response.statusCode}: ${text}`));
        });
      });
      sent.on('error', reject);
      // Corked, the whole request is one system call.
      sent.cork();
      for (const part of parts) sent.write(part);
      sent.end();
      sent.uncork();
    });

  const part = (name: string, more = ''): string =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n`;

  return {
    async upload(images, fields) {
      const texts = Object.entries(fields).map(([key, value]) => `${part(key)}${value}\r\n`);
      const files = images.flatMap(({ name, pieces }) => [
        part('files', `; filename="${name}"\r\ncontent-type: image/jpeg`),
        ...pieces,
        '\r\n',
      ]);
      const form = [texts.join(''), ...files, `--${boundary}--\r\n`];
      const sent = await send('POST', '/api/v1/items/', `multipart/form-data; boundary=${boundary}`, form);
      return (sent as { item_ids: string[] }).item_ids;
    },
    async predict(itemId) {
      const body = JSON.stringify({ item_ids: [itemId] });
      await send('POST', '/api/v1/models/active/predict', 'application/json', [body]);
    },
    async findVerdictTime(itemId) {
      const item = (await send('GET', `/api/v1/items/${itemId}`)) as ItemView;
      if (item.status === 'failed') throw new Error(`${itemId} failed: ${item.status_text}`);
      const predictedAt = item.assessments?.[0]?.predicted_at;
      return item.status === 'done' && predictedAt ? Date.parse(predictedAt) : undefined;
    },
    close: () => agent.destroy(),
  };
}
