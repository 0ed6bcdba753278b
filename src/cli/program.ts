import { Command } from 'commander';
import { ConfigError, quietenRuntime } from '../config.ts';
import { AppError } from '../errors.ts';
import { readVersion } from '../main.ts';
import { DataDirLockedError } from '../storage/data-dir-lock.ts';
import { findStorageFailure } from '../storage-failure.ts';
import { VisionError } from '../vision/vision-error.ts';
import { registerBackup } from './commands/backup.ts';
import { registerClient } from './commands/client.ts';
import { registerDemo } from './commands/demo.ts';
import { registerDoctor } from './commands/doctor.ts';
import { registerEvaluate } from './commands/evaluate.ts';
import { registerLicense } from './commands/license.ts';
import { registerMigrateData } from './commands/migrate-data.ts';
import { registerPredict } from './commands/predict.ts';
import { registerServe } from './commands/serve.ts';
import { registerTrain } from './commands/train.ts';
import { registerWorker } from './commands/worker.ts';
import { MigrateDataError } from './migrate-data.ts';

quietenRuntime();

const program = new Command('kensa')
  .description('Visual inspection: learn from photos of good products, judge every next one.')
  .version(readVersion())
  .showHelpAfterError();

for (const register of [
  registerServe,
  registerWorker,
  registerDemo,
  registerTrain,
  registerPredict,
  registerEvaluate,
  registerClient,
  registerLicense,
  registerDoctor,
  registerMigrateData,
  registerBackup,
]) {
  register(program);
}

try {
  await program.parseAsync();
} catch (error) {
  // What a person can mend is said in words; anything else is a defect of Kensa and shows where.
  const expected = [AppError, VisionError, ConfigError, DataDirLockedError, MigrateDataError].some(
    (kind) => error instanceof kind,
  );
  const storage = findStorageFailure(error);
  console.error(
    expected ? `kensa: ${(error as Error).message}` : storage ? `kensa: ${storage.values['reason']}` : error,
  );
  process.exitCode = 1;
}
