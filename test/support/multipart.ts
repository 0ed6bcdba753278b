import type { Answer, TestService } from './test-service.ts';

/** Sends a form with text fields and files, whatever the operation. */
export async function sendForm(
  service: TestService,
  path: string,
  parts: readonly { field: string; text?: string; file?: { name: string; bytes: Uint8Array } }[],
): Promise<Answer> {
  const form = new FormData();
  for (const { field, text, file } of parts) {
    if (file) form.append(field, new Blob([new Uint8Array(file.bytes)]), file.name);
    else form.append(field, text ?? '');
  }
  const request = new Request('http://localhost/', { method: 'POST', body: form });
  const payload = Buffer.from(await request.arrayBuffer());
  const contentType = request.headers.get('content-type') ?? '';
  const response = await service.app.inject({
    method: 'POST',
    url: path,
    headers: { authorization: `Bearer ${service.token}`, 'content-type': contentType },
    payload,
  });
  const isJson = String(response.headers['content-type']).includes('json');
  return {
    status: response.statusCode,
    headers: { ...response.headers },
    body: isJson ? (response.json() as Answer['body']) : {},
    bytes: response.rawPayload,
  };
}
