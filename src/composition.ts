import { join } from 'node:path';
import type { Logger } from 'pino';
import { type Config, trustedProxies } from './config.ts';
import { logDirOf } from './create-log.ts';
import { algorithmsRoutes } from './domains/algorithms/algorithms.routes.ts';
import { createBackboneCatalogue } from './domains/algorithms/backbone-catalogue.ts';
import { createAnnotationStore } from './domains/annotations/annotation.store.ts';
import { annotationsRoutes } from './domains/annotations/annotations.routes.ts';
import { createAnnotationsService } from './domains/annotations/annotations.service.ts';
import { authRoutes } from './domains/auth/auth.routes.ts';
import { createAuthService } from './domains/auth/auth.service.ts';
import { createClientStore } from './domains/auth/client.store.ts';
import { callbacksRoutes } from './domains/callbacks/callbacks.routes.ts';
import { createCallbacksService } from './domains/callbacks/callbacks.service.ts';
import { createDeliveryStore } from './domains/callbacks/delivery.store.ts';
import { createCallbackSender } from './domains/callbacks/send-callback.ts';
import { filesRoutes } from './domains/files/files.routes.ts';
import { createFilesService } from './domains/files/files.service.ts';
import { createHeatmapStore } from './domains/files/heatmap.store.ts';
import { createSignedUrls } from './domains/files/signed-urls.ts';
import { createItemView } from './domains/items/item-view.ts';
import { itemsRoutes } from './domains/items/items.routes.ts';
import { createItemsService } from './domains/items/items.service.ts';
import { createLabelStore } from './domains/labels/label.store.ts';
import { labelsRoutes } from './domains/labels/labels.routes.ts';
import { createLabelsService } from './domains/labels/labels.service.ts';
import { licenseRoutes } from './domains/license/license.routes.ts';
import { createLicenseService, getNodeHash } from './domains/license/license.service.ts';
import { createModelStore } from './domains/models/model.store.ts';
import { createModelView } from './domains/models/model-view.ts';
import { modelsRoutes } from './domains/models/models.routes.ts';
import { createModelsService } from './domains/models/models.service.ts';
import { warmActiveModel } from './domains/prediction/model-source.ts';
import { createPredictHandler } from './domains/prediction/predict-handler.ts';
import { predictionRoutes } from './domains/prediction/prediction.routes.ts';
import { createPredictionService } from './domains/prediction/prediction.service.ts';
import { createUploadVerdicts } from './domains/prediction/upload-verdicts.ts';
import { resultsRoutes } from './domains/results/results.routes.ts';
import { createResultsService } from './domains/results/results.service.ts';
import { createResultsStore } from './domains/results/results.store.ts';
import { createCleanUp } from './domains/retention/clean-up.ts';
import { createDebugLogsService } from './domains/system/debug-logs.service.ts';
import { createFiguresStore } from './domains/system/figures.store.ts';
import { healthRoutes } from './domains/system/health.routes.ts';
import { createOverviewService } from './domains/system/overview.service.ts';
import { createStatusService } from './domains/system/status.service.ts';
import { systemRoutes } from './domains/system/system.routes.ts';
import { createTargetStore } from './domains/targets/target.store.ts';
import { targetsRoutes } from './domains/targets/targets.routes.ts';
import { createTargetsService } from './domains/targets/targets.service.ts';
import { createModelHandler } from './domains/training/make-model.ts';
import { createRefiner } from './domains/training/refine-handler.ts';
import { createRefiningStore } from './domains/training/refining.store.ts';
import { createTrainer } from './domains/training/train-handler.ts';
import { trainingRoutes } from './domains/training/training.routes.ts';
import { createTrainingService } from './domains/training/training.service.ts';
import { exportModels } from './domains/transfer/export-models.ts';
import { importModels } from './domains/transfer/import-models.ts';
import { transferRoutes } from './domains/transfer/transfer.routes.ts';
import { createAuthenticate } from './http/request-hooks.ts';
import { ComputePool } from './jobs/compute/compute-pool.ts';
import { openQueue } from './jobs/open-queue.ts';
import { createMetrics } from './metrics.ts';
import { packagePath } from './package-path.ts';
import type { Storage } from './storage/open-storage.ts';
import { createSettingsStore } from './storage/settings.store.ts';

export type Kensa = Awaited<ReturnType<typeof composeKensa>>;

interface Dependencies {
  config: Config;
  storage: Pick<Storage, 'db' | 'blobs'>;
  log: Logger;
  version: string;
}

/** All of Kensa, put together. Nothing listens yet; a compute process opens the active model. */
export async function composeKensa(dependencies: Dependencies) {
  // This process checks uploads itself, also where other processes predict.
  const pool = new ComputePool({ size: Math.max(1, dependencies.config.KENSA_WORKERS), log: dependencies.log });
  try {
    return await compose(dependencies, pool);
  } catch (error) {
    await pool.close(0);
    throw error;
  }
}

async function compose(dependencies: Dependencies, pool: ComputePool) {
  const { config, log, version } = dependencies;
  const { db, blobs } = dependencies.storage;
  const dataDir = config.KENSA_DATA_DIR;
  const cacheDir = join(dataDir, 'cache', 'thumbnails');
  const settings = createSettingsStore(db);
  const modelStore = createModelStore(db);
  // Runs while everything else is set up. The service is ready once the model is open.
  const warmed = config.KENSA_WORKERS > 0 ? warmActiveModel({ models: modelStore, blobs, pool, log }) : undefined;
  const queue = await openQueue({ config, db, log });
  const urls = createSignedUrls({
    secret: await settings.getSecret('url_secret'),
    origin: config.KENSA_PUBLIC_URL?.replace(/\/+$/, '') ?? '',
    now: Date.now,
  });
  const metrics = createMetrics(queue);
  const license = createLicenseService({
    settings,
    publicKey: config.LICENSE_PUBLIC_KEY,
    nodeHash: await getNodeHash(settings),
  });

  const auth = await createAuthService({
    clients: createClientStore(db),
    settings,
    tokenSeconds: config.KENSA_TOKEN_SECONDS,
  });
  const backbones = createBackboneCatalogue(config.BACKBONES_DIR);
  const labels = createLabelsService(createLabelStore(db));
  const items = createItemsService({ db, blobs, queue });
  const targetStore = createTargetStore(db);
  const targets = createTargetsService({
    items,
    blobs,
    store: targetStore,
    render: (image, steps, references) => pool.run({ kind: 'preview', image, steps, references }),
  });
  const view = createItemView(urls);
  const models = createModelsService({ db, queue, store: modelStore, view: createModelView(urls) });
  const callbacks = createCallbacksService({
    items,
    models,
    queue,
    view,
    store: createDeliveryStore(db),
    sender: createCallbackSender({ networks: config.KENSA_CALLBACK_NETWORKS }),
    masterKey: await settings.getSecret('callback_secret'),
    networks: config.KENSA_CALLBACK_NETWORKS,
  });
  const verdicts = createUploadVerdicts({ pool, blobs });
  const predictions = createPredictionService({
    probe: (image) => pool.run({ kind: 'probe', image }),
    inferUpload: config.DATABASE_URL === undefined ? verdicts.inferUpload : undefined,
    db,
    items,
    models,
    queue,
    queueLimit: config.KENSA_QUEUE_LIMIT,
    checkLicense: () => license.requireFeature('prediction'),
  });
  const annotations = createAnnotationsService({ db, items, labels, store: createAnnotationStore(db) });
  const refinings = createRefiningStore(db);
  const training = createTrainingService({
    items,
    annotations,
    models,
    targets,
    backbones,
    refinings,
    blobs,
    pool,
    checkLicense: () => license.requireFeature('training'),
  });
  const transferParts = { db, models, items, targets, blobs, pool, version };
  const figures = createFiguresStore(db);
  const debugLogs = createDebugLogsService({
    dataDir,
    queue,
    version,
    logDir: logDirOf(dataDir),
    settings: config,
    figures,
    computeStats: () => pool.stats(),
  });
  const files = createFilesService({
    blobs,
    urls,
    heatmaps: createHeatmapStore(db),
    cacheDir,
    drawHeatmap: (image, anomalyMap) => pool.run({ kind: 'heatmap', image, anomalyMap }),
    makeThumbnail: (image, size) => pool.run({ kind: 'thumbnail', image, size }),
    makeView: (image) => pool.run({ kind: 'preview', image, steps: [], references: {} }),
  });

  const cleanUp = createCleanUp({ db, blobs, queue, dataDir, cacheDir, pruneDeliveries: callbacks.prune, log });
  const status = createStatusService({
    figures,
    queue,
    license,
    version,
    workers: config.KENSA_WORKERS,
    database: config.DATABASE_URL === undefined ? 'sqlite' : 'postgres',
  });

  let started = false;
  // Loaded while a compute process opens the model.
  const { buildApp, closeApp } = await import('./http/build-app.ts');
  const { webPage } = await import('./http/web-page.ts');
  const app = await buildApp({
    logger: log,
    metrics,
    version,
    trustedProxies: trustedProxies(config),
    uploadMemoryBytes: config.KENSA_UPLOAD_MEMORY_MB * 1024 * 1024,
    authenticate: createAuthenticate(auth.verifyToken),
    open: [
      healthRoutes({ metrics: metrics.registry, isReady: async () => started && (await settings.isReachable()) }),
      authRoutes({ auth, attemptsPerMinute: config.KENSA_LOGIN_ATTEMPTS }),
      filesRoutes(files),
      webPage(packagePath('dist/web')),
    ],
    guarded: [
      targetsRoutes(targets),
      resultsRoutes(createResultsService({ models, urls, store: createResultsStore(db) })),
      algorithmsRoutes,
      trainingRoutes(training),
      modelsRoutes(models),
      callbacksRoutes(callbacks),
      transferRoutes({
        exportModels: (modelIds) => exportModels(transferParts, modelIds),
        importModels: (zipPath) => importModels(transferParts, zipPath),
        spoolDir: join(dataDir, 'uploads'),
      }),
      predictionRoutes(predictions),
      itemsRoutes({ items, models, predictions, view }),
      annotationsRoutes(annotations),
      labelsRoutes(labels),
      systemRoutes({ status, debugLogs, overview: createOverviewService({ figures, items, models, queue, view }) }),
      licenseRoutes(license),
    ],
  });

  return {
    app,
    auth,
    async start(): Promise<void> {
      await targetStore.ensureDefaultTarget(new Date().toISOString());
      const { onAssessed } = callbacks;
      await queue.start({
        train: createModelHandler({ models, blobs, log }, createTrainer({ items, models, backbones, blobs })),
        refine: createModelHandler({ models, blobs, log }, createRefiner({ items, models, refinings, blobs })),
        predict: createPredictHandler({ items, models, labels, queue, verdicts, log, onAssessed }),
        deliver: callbacks.handler,
        sweep: cleanUp.handler,
      });
      await cleanUp.start();
      await warmed;
      started = true;
    },
    /** Ends requests, then work, then processes. Unfinished work stays queued. */
    async stop({ graceMs }: { graceMs: number }): Promise<void> {
      started = false;
      await closeApp(app, graceMs);
      await cleanUp.stop();
      await queue.stop({ graceMs });
      await pool.close();
    },
  };
}
