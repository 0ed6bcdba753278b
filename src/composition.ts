import { EventEmitter } from 'node:events';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { brokerSettings, type Config, folderRoots, singleSignOnSettings, trustedProxies } from './config.ts';
import { logDirOf } from './create-log.ts';
import { algorithmsRoutes } from './domains/algorithms/algorithms.routes.ts';
import { createBackboneCatalogue } from './domains/algorithms/backbone-catalogue.ts';
import { createAnnotationStore } from './domains/annotations/annotation.store.ts';
import { annotationsRoutes } from './domains/annotations/annotations.routes.ts';
import { createAnnotationsService } from './domains/annotations/annotations.service.ts';
import { auditRoutes } from './domains/audit/audit.routes.ts';
import { createAuditService } from './domains/audit/audit.service.ts';
import { createAuditStore } from './domains/audit/audit.store.ts';
import { openAccounts } from './domains/auth/accounts.ts';
import { createAttempts } from './domains/auth/attempts.ts';
import { authRoutes } from './domains/auth/auth.routes.ts';
import { peopleRoutes } from './domains/auth/people.routes.ts';
import { ownAccountRoutes, sessionRoutes } from './domains/auth/session.routes.ts';
import { callbacksRoutes } from './domains/callbacks/callbacks.routes.ts';
import { createCallbacksService } from './domains/callbacks/callbacks.service.ts';
import { createDeliveryStore } from './domains/callbacks/delivery.store.ts';
import { createCallbackSender } from './domains/callbacks/send-callback.ts';
import { filesRoutes } from './domains/files/files.routes.ts';
import { createFilesService } from './domains/files/files.service.ts';
import { createHeatmapStore } from './domains/files/heatmap.store.ts';
import { createRemovedImageStore } from './domains/files/removed-image.store.ts';
import { createSignedUrls } from './domains/files/signed-urls.ts';
import { createStationInspection } from './domains/inspection/inspect-at-station.ts';
import { inspectionRoutes } from './domains/inspection/inspection.routes.ts';
import { createInspectionService } from './domains/inspection/inspection.service.ts';
import { createStationTrigger } from './domains/inspection/trigger-station.ts';
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
import { createMqttService } from './domains/outputs/mqtt.service.ts';
import { createOutputsService } from './domains/outputs/outputs.service.ts';
import { createSidecarService } from './domains/outputs/sidecar.service.ts';
import { createAssess } from './domains/prediction/assess.ts';
import { sourceOf, warmModels } from './domains/prediction/model-source.ts';
import { nearestGoodRoutes } from './domains/prediction/nearest-good.routes.ts';
import { createNearestGoodService } from './domains/prediction/nearest-good.service.ts';
import { createPredictHandler } from './domains/prediction/predict-handler.ts';
import { predictionRoutes } from './domains/prediction/prediction.routes.ts';
import { createPredictionService } from './domains/prediction/prediction.service.ts';
import { createUploadVerdicts } from './domains/prediction/upload-verdicts.ts';
import { resultsRoutes } from './domains/results/results.routes.ts';
import { createResultsService } from './domains/results/results.service.ts';
import { createResultsStore } from './domains/results/results.store.ts';
import { createCleanUp } from './domains/retention/clean-up.ts';
import { createDiskRoom } from './domains/retention/disk-room.ts';
import { createDueItemStore } from './domains/retention/due-items.store.ts';
import { createRemovalHandler } from './domains/retention/remove-due.ts';
import { retentionRoutes } from './domains/retention/retention.routes.ts';
import { createRetentionService, type RetentionService } from './domains/retention/retention.service.ts';
import { createRetentionStore } from './domains/retention/retention.store.ts';
import { createDiskWatch, type DiskWatch } from './domains/retention/watch-disk.ts';
import { createAdmission } from './domains/sources/admission.ts';
import { createFtpStore } from './domains/sources/ftp.store.ts';
import { measureSources } from './domains/sources/measure-sources.ts';
import { sourcesRoutes } from './domains/sources/sources.routes.ts';
import { createSourcesService } from './domains/sources/sources.service.ts';
import { createSourcesStore } from './domains/sources/sources.store.ts';
import { publishes } from './domains/stations/check-outputs.ts';
import { createStationStore } from './domains/stations/station.store.ts';
import { stationsRoutes } from './domains/stations/stations.routes.ts';
import { createStationsService } from './domains/stations/stations.service.ts';
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
import { say } from './messages/message.ts';
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
  const audit = createAuditService({ db, store: createAuditStore(db) });
  const modelStore = createModelStore(db);
  // Runs while everything else is set up. The service is ready once the models are open.
  const warmed =
    config.KENSA_WORKERS > 0 ? warmModels({ list: modelStore.listModelsInUse, blobs, pool, log }) : undefined;
  const queue = await openQueue({ config, db, log });
  const urls = createSignedUrls({
    secret: await settings.getSecret('url_secret'),
    origin: config.KENSA_PUBLIC_URL?.replace(/\/+$/, '') ?? '',
    now: Date.now,
  });
  const metrics = createMetrics(queue);
  const license = createLicenseService({
    db,
    audit,
    settings,
    publicKey: config.LICENSE_PUBLIC_KEY,
    nodeHash: await getNodeHash(settings),
  });

  const { auth, users, sessions, terminals, sessionStore } = await openAccounts({ db, audit, settings, config });
  const page = { publicUrl: config.KENSA_PUBLIC_URL };
  const ssoSettings = singleSignOnSettings(config);
  // Loaded where it is used only.
  const sso = ssoSettings
    ? (await import('./domains/auth/single-sign-on.ts')).createSingleSignOn({
        db,
        users,
        sessions,
        settings: ssoSettings,
        store: sessionStore,
      })
    : undefined;
  const backbones = createBackboneCatalogue(config.BACKBONES_DIR);
  const labels = createLabelsService({ db, audit, store: createLabelStore(db) });
  const items = createItemsService({
    db,
    audit,
    blobs,
    // Retention needs the items, and the items ask retention.
    admit: (): Promise<void> => diskWatch.admit(),
    beforeDelete: (trx, itemIds): Promise<void> => retention.refuseHeld(trx, itemIds),
  });
  const targetStore = createTargetStore(db);
  // Before anything else: items and models are of a target.
  await targetStore.ensureDefaultTarget(new Date().toISOString());
  const targets = createTargetsService({
    db,
    audit,
    items,
    blobs,
    store: targetStore,
    render: (image, steps, references) => pool.run({ kind: 'preview', image, steps, references }),
  });
  const view = createItemView(urls);
  const due = createDueItemStore(db, items.conditionOf);
  const retentionStore = createRetentionStore(db);
  const room = createDiskRoom({ settings, due, folder: config.BLOB_URL === undefined ? dataDir : undefined });
  const retention: RetentionService = createRetentionService({
    db,
    audit,
    due,
    room,
    settings,
    items,
    view,
    queue,
    store: retentionStore,
  });
  const diskWatch: DiskWatch = createDiskWatch({ retention, room, log });
  metrics.watchRetention(retention.readFigures);
  const models = createModelsService({
    db,
    audit,
    queue,
    store: modelStore,
    view: createModelView(urls),
    requireImages: items.requireImages,
  });
  const verdicts = createUploadVerdicts({ pool, blobs });
  const assess = createAssess({ labels, log });
  const onDone = (itemId: string): void => {
    done.emit(itemId);
    mqtt.wake();
    sidecars.wake();
  };
  const predictions = createPredictionService({
    probe: (image) => pool.run({ kind: 'probe', image }),
    verdicts,
    assess,
    // Outputs need the items and models, and their verdicts go to the outputs.
    hooks: { onVerdict: (...verdict) => callbacks.onVerdict(...verdict), onDone },
    db,
    items,
    models,
    queue,
    queueLimit: config.KENSA_QUEUE_LIMIT,
    checkLicense: () => license.requireFeature('prediction'),
  });
  const sender = createCallbackSender({ networks: config.KENSA_CALLBACK_NETWORKS });
  const { KENSA_MODBUS_PORT: modbusPort, KENSA_MODBUS_HOST: modbusHost, KENSA_QUEUE_LIMIT: queueLimit } = config;
  const stations = createStationsService({
    db,
    audit,
    items,
    models,
    targets,
    view,
    store: createStationStore(db),
    checkRetention: retention.checkNamed,
    findStorageFault: diskWatch.findFault,
    warm: (model) => pool.warmAll(sourceOf(model, blobs)),
    sources: {
      check: (input, stationId, isTest) => sources.check(input, stationId, isTest),
      stateOf: (station) => sources.stateOf(station),
      show: (station) => sources.show(station),
      settingsChanged: () => sources.settingsChanged(),
      makeLogin: (station) => sources.makeLogin(station),
    },
    pictureOf: (station) => sources.pictureOf(station),
    outputs: {
      modbus: () => (modbusPort === undefined ? say('output.modbus-off') : undefined),
      mqtt: () => mqtt.findProblem(),
      webhook: (url) => callbacks.findUrlProblem(url),
      sidecar: (folder) => sidecars.findProblem(folder),
      findFault: (station) =>
        (publishes(station) ? mqtt.findProblem() : undefined) ?? sidecars.findFault(station.station_id),
      settingsChanged: () => outputs.settingsChanged(),
    },
  });
  const callbacks = createCallbacksService({
    items,
    models,
    queue,
    view,
    store: createDeliveryStore(db),
    sender,
    findStation: stations.findStation,
    lockStation: stations.lockStation,
    masterKey: await settings.getSecret('callback_secret'),
    networks: config.KENSA_CALLBACK_NETWORKS,
  });
  // Like the rest of HTTP, loaded while a compute process opens the model.
  const { UploadMemory } = await import('./http/uploads.ts');
  const uploadMemory = new UploadMemory(config.KENSA_UPLOAD_MEMORY_MB * 1024 * 1024);
  const sources = createSourcesService({
    db,
    audit,
    stations,
    store: createSourcesStore(db),
    ftpStore: createFtpStore(db),
    admission: createAdmission({
      db,
      items,
      predictions,
      stations,
      begin: (stationId) => outputs.begin(stationId),
    }),
    config,
    memory: uploadMemory,
    notePath: items.setSourcePath,
    log,
  });
  const folderLimits = { roots: folderRoots(config), dataDir: config.KENSA_DATA_DIR };
  const sidecars = createSidecarService({ callbacks, items, limits: folderLimits, log });
  measureSources(metrics.registry, sources);
  /** Emits the id of each item whose verdict was stored by this process. */
  const done = new EventEmitter().setMaxListeners(0);
  const inspections = createInspectionService({ items, done });
  const outputs = createOutputsService({
    stations,
    inspections,
    models,
    labels,
    queue,
    queueLimit,
    modbus: modbusPort === undefined ? undefined : { host: modbusHost, port: modbusPort },
    log,
  });
  pool.onCrash = outputs.workerLost;
  const { begin } = outputs;
  metrics.followLine({
    isBrokerConnected: () => mqtt.status() === 'connected',
    connections: outputs.connections,
    countWaiting: callbacks.countWaiting,
  });
  const onEnd = (): void => mqtt.wake();
  const inspectAt = createStationInspection({ inspections, predictions, stations, begin, onEnd });
  const mqtt = createMqttService({
    settings: brokerSettings(config),
    stations,
    models,
    items,
    predictions,
    callbacks,
    inspections,
    inspectAt,
    begin,
    log,
  });
  const trigger = createStationTrigger({ inspectAt, items, predictions, sources, stations });
  const annotations = createAnnotationsService({ db, audit, items, labels, store: createAnnotationStore(db) });
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
  const transferParts = { db, audit, models, items, targets, blobs, pool, version };
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
    removed: createRemovedImageStore(db),
    cacheDir,
    drawMap: (parts) => pool.run({ kind: 'anomaly-map', ...parts }),
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
    uploadMemory,
    authenticate: createAuthenticate({
      verifyToken: auth.verifyToken,
      findSession: async (id) => {
        const signedIn = await sessions.findSignedIn(id);
        if (!signedIn || sso === undefined) return signedIn?.caller;
        // The provider may have given another role.
        return (await sso.check(signedIn.session)) ? (await sessions.findSignedIn(id))?.caller : undefined;
      },
      page,
    }),
    open: [
      healthRoutes({
        metrics: metrics.registry,
        isReady: async () => started && (await settings.isReachable()),
        listFaults: sources.listFaults,
        isDiskShort: async () => (await diskWatch.findFault()) !== undefined,
        outputs: () => ({ mqtt: mqtt.status(), modbus: outputs.status() }),
      }),
      authRoutes({ auth, attempts: createAttempts({ perMinute: config.KENSA_LOGIN_ATTEMPTS, accounts: false }) }),
      sessionRoutes({ sessions, users, page, sso, terminals }),
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
      itemsRoutes({ items, models, predictions, stations, targets, view }),
      nearestGoodRoutes(createNearestGoodService({ items, models, blobs, pool, urls })),
      stationsRoutes(stations),
      retentionRoutes(retention),
      sourcesRoutes({ sources, stations }),
      inspectionRoutes({ inspections, inspectAt, trigger, items, predictions, view }),
      annotationsRoutes(annotations),
      labelsRoutes(labels),
      systemRoutes({ status, debugLogs, overview: createOverviewService({ figures, items, models, queue, view }) }),
      licenseRoutes(license),
      ownAccountRoutes({ sessions, users, terminals, page }),
      peopleRoutes({ users, auth, terminals }),
      auditRoutes(audit),
    ],
  });

  return {
    app,
    auth,
    users,
    /** @param options.sources false: this process neither takes images from folders, cameras and FTP clients nor talks to controllers. */
    /** The port for FTP, once it is started. */
    ftpPort: sources.ftpPort,
    async start(options: { sources?: boolean } = {}): Promise<void> {
      const making = { models, predictions, queue, blobs, log };
      await queue.start({
        train: createModelHandler(making, createTrainer({ items, models, backbones, blobs })),
        refine: createModelHandler(making, createRefiner({ items, models, refinings, blobs })),
        predict: createPredictHandler({
          items,
          models,
          queue,
          verdicts,
          assess,
          onAssessed: callbacks.onAssessed,
          onInspected: callbacks.onInspected,
          onDone,
        }),
        deliver: callbacks.handler,
        sweep: cleanUp.handler,
        retain: createRemovalHandler({
          db,
          audit,
          blobs,
          items,
          due,
          room,
          settings,
          store: retentionStore,
          isDailyDue: retention.isDailyDue,
          makeThumbnail: (image, size) => pool.run({ kind: 'thumbnail', image, size }),
          log,
        }),
      });
      await cleanUp.start();
      diskWatch.start();
      await warmed;
      if (options.sources !== false) {
        await outputs.start();
        await mqtt.start();
        sidecars.start();
        await sources.start();
      }
      started = true;
    },
    /** Ends requests, then work, then processes. Unfinished work stays queued. */
    async stop({ graceMs }: { graceMs: number }): Promise<void> {
      started = false;
      await Promise.all([sources.stop(), outputs.stop(), mqtt.stop(), sidecars.stop()]);
      await closeApp(app, graceMs);
      await cleanUp.stop();
      await diskWatch.stop();
      await queue.stop({ graceMs });
      await pool.close();
    },
  };
}
