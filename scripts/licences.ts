// `npm run licences`: writes docs/third-party-licences.md from the lock file and the installed packages.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = new URL('..', import.meta.url).pathname;
/** Of these, a service may be made and sold without opening its source. */
const allowed =
  /^(MIT|MIT-0|ISC|0BSD|BSD-2-Clause|BSD-3-Clause|Apache-2\.0|BlueOak-1\.0\.0|CC0-1\.0|CC-BY-[34]\.0|Unlicense|Python-2\.0|LGPL-3\.0-or-later|MPL-2\.0)$/;

interface LockEntry {
  readonly version?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly license?: string;
  readonly link?: boolean;
}

const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, LockEntry>;
};

function readLicence(path: string, entry: LockEntry): string {
  if (entry.license) return entry.license;
  try {
    const { license } = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8')) as {
      license?: string | { type: string };
    };
    return typeof license === 'object' ? license.type : (license ?? 'none');
  } catch {
    return 'none';
  }
}

const shipped = Object.entries(lock.packages)
  .filter(([path, entry]) => path.startsWith('node_modules/') && !entry.dev && !entry.link)
  .map(([path, entry]) => ({
    name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
    version: entry.version ?? '',
    licence: readLicence(path, entry),
  }));
const unique = [...new Map(shipped.map((row) => [`${row.name}@${row.version}`, row])).values()].sort((one, other) =>
  `${one.name}@${one.version}`.localeCompare(`${other.name}@${other.version}`, 'en'),
);
const parts = (licence: string): string[] => licence.replace(/[()]/g, '').split(/ AND | OR /);
const fits = (licence: string): boolean =>
  licence.includes(' OR ')
    ? parts(licence).some((part) => allowed.test(part))
    : parts(licence).every((part) => allowed.test(part));
const wrong = unique.filter(({ licence }) => !fits(licence));

const page = `# Third-party licences

Packages that ship with the service, on any platform. Made from the lock file by \`npm run licences\`, which overwrites
changes here.

| Package | Version | Licence |
|---|---|---|
${unique.map(({ name, version, licence }) => `| ${name} | ${version} | ${licence} |`).join('\n')}
`;
writeFileSync(join(root, 'docs/third-party-licences.md'), page);
console.log(`${unique.length} packages written to docs/third-party-licences.md`);
for (const { name, version, licence } of wrong)
  console.error(`${name} ${version}: the licence "${licence}" needs a look`);
process.exitCode = wrong.length === 0 ? 0 : 1;
