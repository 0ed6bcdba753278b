import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const root = new URL('../../', import.meta.url).pathname;
const { bin, exports } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as {
  bin: Record<string, string>;
  exports: Record<string, Record<string, string>>;
};
const isBuilt = existsSync(`${root}dist/.built`);
if (!isBuilt) console.warn('dist/ is not there: the npm package is not looked at. npm run build makes it.');

it.skipIf(!isBuilt)('the npm package holds what it promises: command, client with types, page, networks', () => {
  const { stdout } = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
    encoding: 'utf8',
  });
  const packed = JSON.parse(stdout) as { files: { path: string }[] }[] | Record<string, { files: { path: string }[] }>;
  const [report] = Object.values(packed);
  const paths = new Set(report?.files.map(({ path }) => `./${path}`));
  const promised = [...Object.values(bin).map((path) => `./${path}`), ...Object.values(exports).flatMap(Object.values)];
  for (const path of [
    ...promised,
    './dist/web/index.html',
    './assets/backbones/kensa.onnx',
    './assets/outlines/outlines.onnx',
    './LICENSE',
  ]) {
    expect(paths, path).toContain(path);
  }
  expect([...paths].filter((path) => path.includes('.test.'))).toEqual([]);
});
