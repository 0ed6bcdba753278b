import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The path of a file of the package by its path from the folder of package.json, run from `src/` or from `dist/`. */
export function packagePath(path: string): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return join(folder, path);
}

export function readVersion(): string {
  return (JSON.parse(readFileSync(packagePath('package.json'), 'utf8')) as { version: string }).version;
}

/** The path of a module that is started as a process or thread of its own. @param name from `src/`, without a file extension */
export function entryPath(name: string): string {
  return packagePath(import.meta.url.endsWith('.ts') ? `src/${name}.ts` : `dist/${name}.js`);
}
