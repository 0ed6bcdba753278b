import { existsSync } from 'node:fs';
import { join } from 'node:path';
import staticFiles from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';

const yearSeconds = 31_536_000;
/** Addresses of the page's screens, which have no file: `web/src/routes/router.tsx`. */
const screens = /^(items|train|models|target|operations|people|audit|account|retention|stations)?(\/[\w-]*)?\/?$/;

/** Serves the built page and its files, if there is a build. Names of files carry a hash, so files never change. */
export function webPage(folder: string): (app: FastifyInstance) => Promise<void> {
  return async (app) => {
    if (!existsSync(folder)) return;
    await app.register(staticFiles, {
      root: folder,
      serve: false,
      preCompressed: true,
      cacheControl: false,
      index: false,
    });
    app.get('/*', { schema: { hide: true }, logLevel: 'warn' }, async (request, reply: FastifyReply) => {
      const path = request.url.split('?', 1)[0]?.slice(1) ?? '';
      if (screens.test(path)) return reply.header('cache-control', 'no-cache').sendFile('index.html');
      if (!/^(assets\/)?[\w.-]+\.[a-z0-9]+$/.test(path)) return reply.callNotFound();
      // Before any header is set: a browser would keep a 404 for as long as the file itself.
      if (!existsSync(join(folder, path))) return reply.callNotFound();
      const unchanging = path.startsWith('assets/');
      reply.header('cache-control', unchanging ? `public, max-age=${yearSeconds}, immutable` : 'no-cache');
      return reply.sendFile(path);
    });
  };
}
