import { Command } from 'commander';
import { quietenRuntime } from '../config.ts';
import { readVersion } from '../package-path.ts';
import { describeFailure } from './command-error.ts';

quietenRuntime();

const program = new Command('kensa')
  .description('Visual inspection: learn from images of good products, inspect every next one.')
  .version(readVersion())
  .showHelpAfterError();

/** Each command is loaded when it is asked for: most of them load the engine, which takes half of a start. */
const commands: Readonly<Record<string, () => Promise<(parent: Command) => void>>> = {
  serve: async () => (await import('./commands/serve.ts')).registerServe,
  worker: async () => (await import('./commands/serve.ts')).registerWorker,
  demo: async () => (await import('./commands/demo.ts')).registerDemo,
  train: async () => (await import('./commands/train.ts')).registerTrain,
  predict: async () => (await import('./commands/predict.ts')).registerPredict,
  evaluate: async () => (await import('./commands/evaluate.ts')).registerEvaluate,
  client: async () => (await import('./commands/client.ts')).registerClient,
  audit: async () => (await import('./commands/audit.ts')).registerAudit,
  user: async () => (await import('./commands/user.ts')).registerUser,
  terminal: async () => (await import('./commands/terminal.ts')).registerTerminal,
  license: async () => (await import('./commands/license.ts')).registerLicense,
  doctor: async () => (await import('./commands/doctor.ts')).registerDoctor,
  'migrate-data': async () => (await import('./commands/migrate-data.ts')).registerMigrateData,
  backup: async () => (await import('./commands/backup.ts')).registerBackup,
};

const asked = commands[process.argv[2] ?? ''];
for (const load of asked ? [asked] : Object.values(commands)) (await load())(program);

try {
  await program.parseAsync();
} catch (error) {
  const words = describeFailure(error);
  console.error(words === undefined ? error : `kensa: ${words}`);
  process.exitCode = 1;
}
