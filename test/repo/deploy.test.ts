import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const folder = new URL('../../deploy/systemd', import.meta.url).pathname;
const units = readdirSync(folder).filter((name) => name.endsWith('.service'));
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;
if (!hasSystemd) console.warn('systemd-analyze is not installed: the units are not verified.');

it.skipIf(!hasSystemd)('systemd finds nothing wrong with the units', () => {
  const copies = mkdtempSync(join(tmpdir(), 'kensa-units-'));
  try {
    mkdirSync(join(copies, 'units'));
    for (const name of units) {
      // Programs and users of a machine where Kensa is installed: these stand for them.
      const text = readFileSync(join(folder, name), 'utf8')
        .replace('/usr/bin/node', process.execPath)
        .replace(/^(User|Group)=.*$/gm, '$1=daemon')
        .replace('WorkingDirectory=/opt/kensa', 'WorkingDirectory=/');
      writeFileSync(join(copies, 'units', name), text);
    }
    const paths = readdirSync(join(copies, 'units')).map((name) => join(copies, 'units', name.replace('@.', '@1.')));
    for (const path of paths) {
      if (path.includes('@1.')) writeFileSync(path, readFileSync(path.replace('@1.', '@.')));
      const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', path], {
        encoding: 'utf8',
      });
      const about = `${stdout}${stderr}`.split('\n').filter((line) => line.includes('kensa'));
      expect(about).toEqual([]);
      expect(status).toBe(0);
    }
  } finally {
    rmSync(copies, { recursive: true });
  }
});

it('both units do the same but for the command and the folder', () => {
  const [server = '', worker = ''] = ['kensa.service', 'kensa-worker@.service'].map((name) =>
    readFileSync(join(folder, name), 'utf8'),
  );
  const differing = server.split('\n').filter((line) => !worker.split('\n').includes(line));
  expect(differing.map((line) => line.split('=')[0])).toEqual([
    'Description',
    'Environment',
    'ExecStart',
    'StateDirectory',
  ]);
});
