import { Agent, get } from 'node:http';
import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { closeApp } from './build-app.ts';

it.each([
  ['ends with the last request, although its connection would be kept alive', 60, 10_000],
  ['cuts off a request that outlasts the time given', 60_000, 200],
])('%s', async (_name, answerMs, graceMs) => {
  const app = Fastify({ keepAliveTimeout: 60_000 });
  let arrived = () => {};
  const inside = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const late: NodeJS.Timeout[] = [];
  app.get('/', (_request, reply) => {
    late.push(setTimeout(() => reply.send('late'), answerMs));
    arrived();
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const agent = new Agent({ keepAlive: true });
  get(url, { agent }, (response) => response.resume()).on('error', () => undefined);
  await inside;
  const startedAt = performance.now();
  await closeApp(app, graceMs);
  expect(performance.now() - startedAt).toBeLessThan(5_000);
  for (const timer of late) clearTimeout(timer);
  agent.destroy();
});
