import type { FastifyInstance } from 'fastify';

const sweepMs = 100;

/**
 * Stops listening and waits for the requests that run, at most `graceMs`. A connection whose request ends after the
 * close began would be kept alive by its client for as long as a browser is open: those are closed as they fall idle.
 */
export async function closeApp(app: Pick<FastifyInstance, 'close' | 'server'>, graceMs: number): Promise<void> {
  const idle = setInterval(() => app.server.closeIdleConnections(), sweepMs);
  const late = setTimeout(() => app.server.closeAllConnections(), graceMs);
  try {
    await app.close();
  } finally {
    clearInterval(idle);
    clearTimeout(late);
  }
}
