import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { entryPath } from './package-path.ts';

/** Starts a module in a thread of its own. @param name from `src/`, without an ending */
export function startThread(name: string): Worker {
  const path = entryPath(name);
  if (!path.endsWith('.ts')) return new Worker(path, { execArgv: [] });
  // A thread does not take over the loader by which sources are run.
  const [loader, entry] = [import.meta.resolve('tsx/esm/api'), pathToFileURL(path).href].map((url) =>
    JSON.stringify(url),
  );
  const code = `import(${loader}).then(({ register }) => { register(); return import(${entry}); })`;
  return new Worker(code, { eval: true, execArgv: [] });
}
