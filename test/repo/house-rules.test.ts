import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { serverTexts } from '../../src/messages/server-texts.ts';
import { engineTexts } from '../../src/vision/engine-messages.ts';

const root = new URL('../..', import.meta.url).pathname;
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts') && !file.includes('/generated/'));
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const sources = files.filter((file) => file.startsWith('src/') && !file.endsWith('.test.ts'));

describe('directions', () => {
  const layer = (file: string): string => /^src\/(\w+)\//.exec(file)?.[1] ?? 'root';
  /** What each layer may import from, besides itself and errors. */
  const allowed: Record<string, readonly string[]> = {
    vision: [],
    demo: ['vision'],
    client: [],
    messages: ['vision'],
    storage: ['messages'],
    jobs: ['messages', 'vision', 'storage'],
    http: ['messages', 'vision'],
    line: ['messages'],
    domains: ['messages', 'http', 'line', 'storage', 'jobs', 'vision'],
    cli: ['messages', 'client', 'demo', 'domains', 'jobs', 'storage', 'vision'],
  };

  it('each layer imports only what lies below it', () => {
    const wrong = sources.flatMap((file) => {
      const from = layer(file);
      if (from === 'root') return [];
      return importsOf(file)
        .map((target) => ({ target, to: layer(target) }))
        .filter(
          ({ to, target }) => to !== from && to !== 'root' && !allowed[from]?.includes(to) && target.startsWith('src/'),
        )
        .map(({ target }) => `${file} → ${target}`);
    });
    expect(wrong).toEqual([]);
  });

  it('vision imports nothing of ours but itself', () => {
    const wrong = sources
      .filter((file) => file.startsWith('src/vision/'))
      .flatMap((file) =>
        importsOf(file)
          .filter((target) => target.startsWith('src/') && !target.startsWith('src/vision/'))
          .map((target) => `${file} → ${target}`),
      );
    expect(wrong).toEqual([]);
  });

  it('no folder of vision imports one that imports it back', () => {
    const folderOf = (file: string): string => /^src\/vision\/(algorithms\/[\w-]+|[\w-]+)\//.exec(file)?.[1] ?? '';
    const imports = new Map<string, Set<string>>();
    for (const file of sources.filter((source) => source.startsWith('src/vision/'))) {
      const own = folderOf(file);
      const known = imports.get(own) ?? imports.set(own, new Set()).get(own);
      for (const target of importsOf(file)) if (folderOf(target) !== own) known?.add(folderOf(target));
    }
    const cycles: string[] = [];
    const done = new Set<string>();
    const walk = (folder: string, path: readonly string[]): void => {
      if (path.includes(folder)) cycles.push([...path.slice(path.indexOf(folder)), folder].join(' → '));
      else if (!done.has(folder)) for (const next of imports.get(folder) ?? []) walk(next, [...path, folder]);
      done.add(folder);
    };
    for (const folder of imports.keys()) walk(folder, []);
    expect(cycles).toEqual([]);
  });

  it('the shapes that all of vision shares import nothing', () => {
    expect(read('src/vision/types.ts')).not.toMatch(/^(import|export) .*from/m);
  });

  it('a domain never imports the store of another', () => {
    const domainOf = (file: string): string | undefined => /^src\/domains\/([\w-]+)\//.exec(file)?.[1];
    const wrong = sources.flatMap((file) =>
      importsOf(file)
        .filter(
          (target) => target.endsWith('.store.ts') && domainOf(target) !== undefined && domainOf(file) !== undefined,
        )
        // Rows are types: the store's functions are what must not be reached past the service.
        .filter((target) => domainOf(target) !== domainOf(file) && !importsTypesOnly(file, target))
        .map((target) => `${file} → ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it.each([
    ['fastify', /^src\/(http\/|composition|.*\.routes\.ts$)/],
    ['kysely', /^src\/(storage\/|jobs\/engines\/|.*\.store\.ts$|cli\/commands\/doctor\.ts$)/],
    ['onnxruntime-node', /^src\/vision\//],
    ['sharp', /^src\/(vision\/|demo\/|jobs\/compute\/|cli\/dataset-folder\.ts$)/],
  ])('only the layers meant for it import %s', (name, where) => {
    const users = sources.filter((file) => new RegExp(`from '(@?${name})(/[^']*)?'`).test(read(file)));
    expect(users.filter((file) => !where.test(file))).toEqual([]);
  });

  it('only stores ask the database', () => {
    const query = /\.(selectFrom|insertInto|updateTable|deleteFrom)\(|\bsql(<[^>]*>)?`/;
    const where = /^src\/(storage\/|jobs\/engines\/|.*\.store\.ts$|cli\/commands\/doctor\.ts$)/;
    expect(sources.filter((file) => query.test(read(file)) && !where.test(file))).toEqual([]);
  });

  it('the page asks the service through the client alone', () => {
    const callers = files.filter(
      (file) => file.startsWith('web/src/') && /\bfetch\(|XMLHttpRequest|EventSource/.test(read(file)),
    );
    expect(callers).toEqual(['web/src/api/kensa.ts']);
  });

  it('only config.ts reads the environment', () => {
    const readers = sources.filter((file) => /process\.env/.test(read(file)));
    expect(readers.filter((file) => file !== 'src/config.ts' && file !== 'src/cli/commands/demo.ts')).toEqual([]);
  });

  it('vision uses no clock, no file, no network and no global randomness', () => {
    const impure =
      /Math\.random|Date\.now|new Date\(|performance\.now|process\.|from 'node:(fs|http|net|child_process|os)|randomBytes|randomUUID/;
    const wrong = sources.filter((file) => file.startsWith('src/vision/') && impure.test(read(file)));
    expect(wrong).toEqual([]);
  });
});

describe('messages', () => {
  it('every text is said somewhere', () => {
    const all = sources
      .filter((file) => !file.endsWith('-texts.ts'))
      .map(read)
      .join('');
    const codes = Object.keys({ ...engineTexts, ...serverTexts }).filter((code) => !/^type\.|\.title$/.test(code));
    // A declaration is followed by its text, an error by its status.
    const said = (code: string): boolean => new RegExp(`'${code}'(?!:)|\\b${code}'?: \\d`).test(all);
    expect(codes.filter((code) => !said(code))).toEqual([]);
  });
});

describe('names', () => {
  it('no file is a drawer', () => {
    expect(files.filter((file) => /(^|\/)(utils?|helpers?|misc|common|base|.*manager)\.tsx?$/.test(file))).toEqual([]);
  });

  it('files are kebab-case', () => {
    const plain = /^[a-z0-9]+([-.][a-z0-9]+)*$/;
    expect(
      sources.filter(
        (file) =>
          !plain.test(
            file
              .split('/')
              .at(-1)
              ?.replace(/\.tsx?$/, '') ?? '',
          ),
      ),
    ).toEqual([]);
  });
});

function importsOf(file: string): string[] {
  return [...read(file).matchAll(/from '(\.[^']+)'/g)].map((match) => normalize(join(dirname(file), match[1] ?? '')));
}

function importsTypesOnly(file: string, target: string): boolean {
  const name = target.split('/').at(-1) ?? '';
  const lines = read(file)
    .split('\n')
    .filter((line) => line.includes(`/${name}'`));
  return lines.every((line) => line.startsWith('import type'));
}
