import { Command } from 'commander';
import { quietenRuntime } from '../config.ts';
import { readVersion } from '../main.ts';
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
import { describeFailure } from './describe-failure.ts';

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
  const words = describeFailure(error);
  console.error(words === undefined ? error : `kensa: ${words}`);
  process.exitCode = 1;
}
