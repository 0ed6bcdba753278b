import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { demoFiles } from '../support/demo-images.ts';
import { spawnedClient, spawnService } from '../support/spawn-service.ts';

it('no secret, token or link is in what a service writes, at its most talkative', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kensa-logs-'));
  const service = await spawnService({ KENSA_DATA_DIR: folder, KENSA_LOG_LEVEL: 'trace' });
  try {
    const login = (client_secret: string) =>
      fetch(`${service.url}/api/auth/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ client_id: spawnedClient.clientId, client_secret, grant_type: 'client_credentials' }),
      });
    const { access_token: token } = (await (await login(spawnedClient.clientSecret)).json()) as {
      access_token: string;
    };
    await login('a wrong guess of the secret');
    await fetch(`${service.url}/api/v1/models/`, { headers: { authorization: `Bearer ${token}` } });
    await fetch(`${service.url}/api/v1/models/?token=${token}`, { headers: { authorization: `Bearer ${token}x` } });
    const { training } = await demoFiles({ good: 1, testGood: 0, testDefect: 0 });
    const [id] = await service.client.uploadItems(training, { training: 'true' });
    const item = await service.client.request<{ images: { url: string }[] }>('GET', `/api/v1/items/${id}`);
    const link = item.images[0]?.url ?? '';
    await fetch(`${service.url}${link}`);
    const person = { name: 'Ann', password: 'the password of Ann' };
    await service.client.request('POST', '/api/v1/users', { ...person, role: 'engineer' });
    let cookie = '';
    const send = async (method: string, path: string, body: object): Promise<string> => {
      const headers = { 'content-type': 'application/json', 'x-requested-with': 'kensa', cookie };
      const answer = await fetch(service.url + path, { method, headers, body: JSON.stringify(body) });
      return answer.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
    };
    await send('POST', '/api/v1/session', { ...person, password: 'a wrong guess of the password' });
    cookie = await send('POST', '/api/v1/session', person);
    const terminal = await send('PUT', '/api/v1/session/terminal', { name: 'Cell 4' });
    await send('PUT', '/api/v1/session/pin', { pin: '90215374' });
    await send('PUT', '/api/v1/session/password', { current: person.password, password: 'the next password' });
    for (const value of [cookie, terminal]) expect(value).toMatch(/^kensa_\w+=[\w-]{43}$/);
    await service.stop();
    const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.log'));
    const written = [
      service.output(),
      ...(await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')))),
    ];
    const all = written.join('\n');
    expect(all).toContain('"route":"/api/auth/token"');
    expect(all).toContain('KENSA_CLIENT_SECRET is short or not random');
    expect(all).not.toContain(spawnedClient.clientSecret);
    expect(all).not.toContain('a wrong guess of the secret');
    expect(all).toContain('"route":"/api/v1/session/pin"');
    for (const word of [person.password, 'a wrong guess of the password', '90215374', 'the next password'])
      expect(all).not.toContain(word);
    for (const value of [cookie, terminal]) expect(all).not.toContain(value.split('=')[1]);
    expect(all).not.toContain(token.split('.')[2]);
    expect(all).not.toContain(new URL(link, service.url).searchParams.get('signature'));
  } finally {
    await service.kill();
    await rm(folder, { recursive: true, force: true });
  }
});
