import helmet from '@fastify/helmet';
import type { FastifyPluginAsyncTypebox, TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Metrics } from '../metrics.ts';
import { createSerializerCompiler, createValidatorCompiler } from './compile-schemas.ts';
import { answerClientError, answerFrameworkError, registerErrorHandler } from './error-handler.ts';
import { languageOf, translateStatus } from './language.ts';
import { registerOpenApi } from './openapi.ts';
import { addRequestHooks } from './request-hooks.ts';
import { registerUploads, type UploadMemory } from './uploads.ts';

/** Identifiers of many items travel in one body; images travel as multipart and have limits of their own. */
const maxJsonBytes = 16 * 1024 * 1024;

interface AppDependencies {
  readonly logger: FastifyBaseLogger;
  readonly metrics: Metrics;
  readonly version: string;
  /** Addresses and ranges of proxies whose X-Forwarded-For names the client. */
  readonly trustedProxies: string[];
  readonly uploadMemory: UploadMemory;
  /** Routes without a token. */
  readonly open: readonly FastifyPluginAsyncTypebox[];
  readonly guarded: readonly FastifyPluginAsyncTypebox[];
  readonly authenticate: Parameters<FastifyInstance['addHook']>[1];
}

/** The application as a function: it never listens, so that tests can inject requests. */
export async function buildApp(dependencies: AppDependencies): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: dependencies.logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: maxJsonBytes,
    trustProxy: dependencies.trustedProxies,
    requestTimeout: 300_000,
    connectionTimeout: 0,
    keepAliveTimeout: 72_000,
    // Half-open requests must not pile up.
    http: { headersTimeout: 15_000, connectionsCheckingInterval: 2000 },
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 300 },
    // A caller's id would let it forge log lines.
    requestIdHeader: false,
    clientErrorHandler: answerClientError,
    frameworkErrors: answerFrameworkError,
  }).withTypeProvider<TypeBoxTypeProvider>();
  app.setValidatorCompiler(createValidatorCompiler());
  app.setSerializerCompiler(createSerializerCompiler());
  registerErrorHandler(app);
  await app.register(helmet, { contentSecurityPolicy, crossOriginEmbedderPolicy: false });
  await registerUploads(app, dependencies.uploadMemory);
  await registerOpenApi(app, dependencies.version);
  addRequestHooks(app);
  app.addHook('preSerialization', async (request, _reply, body) => {
    translateStatus(body, languageOf(request));
    return body;
  });
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown';
    const seconds = reply.elapsedTime / 1000;
    dependencies.metrics.observeRequest(route, request.method, reply.statusCode, seconds);
    const line = { method: request.method, route, status: reply.statusCode, ms: Math.round(reply.elapsedTime) };
    if (request.log.level !== 'silent') request.log.info(line, 'request');
  });
  for (const routes of dependencies.open) await app.register(routes);
  await app.register(async (api) => {
    api.addHook('onRequest', dependencies.authenticate as never);
    for (const routes of dependencies.guarded) await api.register(routes);
  });
  return app as unknown as FastifyInstance;
}

const contentSecurityPolicy = {
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'", "'unsafe-inline'"],
    imgSrc: ["'self'", 'data:', 'blob:'],
    fontSrc: ["'self'"],
    connectSrc: ["'self'"],
    manifestSrc: ["'self'"],
    baseUri: ["'none'"],
    formAction: ["'self'"],
    frameAncestors: ["'none'"],
  },
};

/**
 * Stops listening and waits for the requests that run, at most `graceMs`. A connection whose request ends after the
 * close began would be kept alive by its client for as long as a browser is open: those are closed as they fall idle.
 */
export async function closeApp(app: Pick<FastifyInstance, 'close' | 'server'>, graceMs: number): Promise<void> {
  const idle = setInterval(() => app.server.closeIdleConnections(), 100);
  const late = setTimeout(() => app.server.closeAllConnections(), graceMs);
  try {
    await app.close();
  } finally {
    clearInterval(idle);
    clearTimeout(late);
  }
}
