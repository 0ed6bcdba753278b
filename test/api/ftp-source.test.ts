import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectError } from '../support/expect-error.ts';
import { hasProgram } from '../support/find-program.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { dataOf, eventually, stripes, trainSmallModel } from '../support/trained-model.ts';

interface Station {
  station_id: string;
  ftp_login?: { user: string; password: string };
  state: { ready: boolean; source: { ready: boolean; unreadable: { name: string; status_text: string }[] } };
}

const run = promisify(execFile);
let folder: string;
let service: TestService;
let modelId: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kensa-ftp-'));
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1'];
  await run('openssl', [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '2',
    ...subject,
    '-keyout',
    key,
    '-out',
    cert,
  ]);
  service = await startTestService({
    KENSA_FTP_PORT: '0',
    KENSA_FTP_PASSIVE_PORTS: '42000-42199',
    KENSA_FTP_CERTIFICATE: cert,
    KENSA_FTP_KEY: key,
    KENSA_LOGIN_ATTEMPTS: '4',
  });
  ({ modelId } = await trainSmallModel(service));
}, 300_000);
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

let count = 0;
async function newStation(more: object = {}) {
  const body = { name: `ftp ${++count}`, model_id: modelId, source: { kind: 'ftp' }, ...more };
  const made = dataOf<Station>(await service.call('POST', '/api/v1/stations/', { body }));
  if (!made.ftp_login) throw new Error('The new station has no login.');
  const station = await eventually(
    () => read(made.station_id),
    ({ state }) => state.source.ready,
  );
  return { id: station.station_id, ...made.ftp_login };
}

const read = async (id: string) => dataOf<Station>(await service.call('GET', `/api/v1/stations/${id}`));
const itemsOf = (id: string) =>
  service.db.selectFrom('items').selectAll().where('station_id', '=', id).orderBy('seq').execute();
const done = (id: string, length: number) =>
  eventually(
    () => itemsOf(id),
    (items) => items.length === length && items.every(({ status }) => status === 'done'),
  );

async function fileOf(name: string, bytes: Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return path;
}

const curl = (...args: string[]) => run('curl', ['-sS', '--max-time', '60', ...args]);
const urlOf = (path: string) => `ftp://127.0.0.1:${service.ftpPort}${path}`;

/** A client that says exactly what a test wants. */
async function openControl(from = '127.0.0.1') {
  let received = '';
  // With `onread`, `pause` leaves in the system what comes then: as if the client never read it.
  const onread = {
    buffer: Buffer.alloc(65_536),
    callback(length: number, buffer: Uint8Array) {
      received += Buffer.from(buffer.subarray(0, length)).toString('utf8');
      return true;
    },
  };
  const socket: Socket = connect({ host: '127.0.0.1', port: service.ftpPort, localAddress: from, onread });
  socket.on('error', () => {});
  await once(socket, 'connect');
  const reply = async (): Promise<string> => {
    await eventually(
      async () => received,
      (text) => /^\d{3} .*\r\n/m.test(text) || socket.destroyed,
      40_000,
    );
    const [line = ''] = /^\d{3} .*\r\n/m.exec(received) ?? [];
    received = received.slice(received.indexOf(line) + line.length);
    return line.trim();
  };
  await reply();
  const say = async (line: string): Promise<string> => {
    socket.write(`${line}\r\n`);
    return reply();
  };
  const logIn = async (user: string, password: string): Promise<string> => {
    await say(`USER ${user}`);
    return say(`PASS ${password}`);
  };
  const passive = async (): Promise<number> => Number(/\|(\d+)\|/.exec(await say('EPSV'))?.[1]);
  const send = async (name: string, bytes: Uint8Array): Promise<string> => {
    const data = connect(await passive(), '127.0.0.1');
    const first = await say(`STOR ${name}`);
    if (!first.startsWith('150')) return first;
    data.end(bytes);
    return reply();
  };
  return { socket, say, reply, logIn, passive, send };
}

describe.skipIf(!hasProgram('curl'))('curl', () => {
  it('sends an image, which is stored when 226 comes, with what its name says', async () => {
    const station = await newStation({ name_pattern: '(?<lot>L\\d+)/(?<serial>\\d+)' });
    const file = await fileOf('a.png', await stripes(1));
    const login = ['--user', `${station.user}:${station.password}`];
    const { stderr } = await curl('-v', ...login, '-T', file, '--ftp-create-dirs', urlOf('/cam/L7/0042.png'));
    expect(stderr).toMatch(/< 226 /);
    expect(await itemsOf(station.id)).toMatchObject([{ name: '0042', lot: 'L7', serial: '0042' }]);
    await done(station.id, 1);
    await curl(...login, '--disable-epsv', '-T', file, urlOf('/0043.png'));
    await done(station.id, 2);
  });

  it('sends by TLS, on both connections', async () => {
    const station = await newStation();
    const file = await fileOf('b.png', await stripes(2));
    const login = ['--user', `${station.user}:${station.password}`, '--cacert', join(folder, 'cert.pem')];
    await curl('--ssl-reqd', ...login, '-T', file, urlOf('/1.png'));
    await curl('--ssl-reqd', '--disable-epsv', ...login, '-T', file, urlOf('/2.png'));
    expect(await done(station.id, 2)).toMatchObject([{ name: '1' }, { name: '2' }]);
  });

  it('cannot list, read or delete what it or another has sent', async () => {
    const station = await newStation();
    const other = await newStation();
    const file = await fileOf('c.png', await stripes(3));
    await curl('--user', `${other.user}:${other.password}`, '-T', file, urlOf('/secret.png'));
    for (const { user, password } of [station, other]) {
      const login = ['--user', `${user}:${password}`];
      expect((await curl(...login, urlOf('/'))).stdout).toBe('');
      expect((await curl(...login, '--list-only', urlOf('/'))).stdout).toBe('');
      await expect(curl(...login, urlOf('/secret.png'))).rejects.toThrow(/550|78|19/);
      await expect(curl(...login, '-Q', 'DELE secret.png', urlOf('/'))).rejects.toThrow(/550/);
    }
    await expect(
      curl('--user', `${station.user}:${station.password}`, '-Q', 'RNFR secret.png', urlOf('/')),
    ).rejects.toThrow(/550/);
    await done(other.id, 1);
    expect(await itemsOf(station.id)).toEqual([]);
  });
});

describe.skipIf(!hasProgram('lftp'))('lftp', () => {
  it.each([
    ['without TLS', 'set ftp:ssl-allow no;', ''],
    ['with TLS', 'set ftp:ssl-force yes; set ftp:ssl-protect-data yes; set ssl:verify-certificate no;', ''],
    ['with temporary names', 'set ftp:ssl-allow no;', 'set xfer:use-temp-file yes; set xfer:temp-file-name *.tmp;'],
  ])('sends many files %s', async (_, tls, more) => {
    const station = await newStation({ name_pattern: '(?<serial>\\d+)\\.png' });
    const files = await Promise.all([1, 2, 3, 4].map(async (n) => fileOf(`lftp-${n}.png`, await stripes(n))));
    const script = `${tls} ${more} set net:max-retries 1; open -u ${station.user},${station.password} ${urlOf('/')}; cd /shift/2; mput ${files.join(' ')}; ls; bye`;
    const { stdout } = await run('lftp', ['-c', script], {
      timeout: 60_000,
    });
    expect(stdout).not.toContain('png');
    const items = await done(station.id, 4);
    expect(items.map(({ name, serial }) => `${name} ${serial}`).sort()).toEqual(
      [1, 2, 3, 4].map((n) => `lftp-${n} ${n}`),
    );
  });
});

describe('a client', () => {
  it('that breaks off in the middle leaves nothing, and may send again', async () => {
    const station = await newStation();
    const bytes = await sharp(await stripes(4))
      .resize(900, 900)
      .png()
      .toBuffer();
    const half = bytes.subarray(0, bytes.length / 2);
    for (const how of ['reset', 'end', 'kill']) {
      const client = await openControl();
      await client.logIn(station.user, station.password);
      const data = connect(await client.passive(), '127.0.0.1');
      expect(await client.say(`STOR ${how}.png`)).toMatch(/^150/);
      data.write(half);
      await pause(100);
      if (how === 'reset') data.resetAndDestroy();
      else data.end();
      if (how === 'kill') client.socket.destroy();
      else expect(await client.reply()).toMatch(how === 'reset' ? /^426/ : /^550/);
      client.socket.destroy();
    }
    await pause(500);
    expect(await itemsOf(station.id)).toEqual([]);
    expect((await read(station.id)).state.source.unreadable.map(({ name }) => name)).toContain('end.png');
    const client = await openControl();
    await client.logIn(station.user, station.password);
    expect(await client.send('whole.png', bytes)).toMatch(/^226/);
    await done(station.id, 1);
    expect((await read(station.id)).state.source.unreadable).toEqual([]);
    client.socket.destroy();
  });

  describe('that sends the same image again', () => {
    const open = async (station: { user: string; password: string }) => {
      const client = await openControl();
      await client.logIn(station.user, station.password);
      return client;
    };
    /** Sends an image and does not read whether it is stored; then the connection is cut. */
    const sendUnread = async (station: { id: string; user: string; password: string }, name: string, bytes: Buffer) => {
      const before = (await itemsOf(station.id)).length;
      const client = await open(station);
      const data = connect(await client.passive(), '127.0.0.1');
      expect(await client.say(`STOR ${name}`)).toMatch(/^150/);
      client.socket.pause();
      data.end(bytes);
      await eventually(
        () => itemsOf(station.id),
        ({ length }) => length > before,
      );
      // Longer than the service keeps rows of images that clients know to be stored.
      await pause(2000);
      client.socket.destroy();
    };
    const rowsOf = (id: string) =>
      service.db.selectFrom('ftp_uploads').selectAll().where('station_id', '=', id).execute();

    it('because it could not read the reply, has it stored once', async () => {
      const station = await newStation();
      const bytes = await stripes(5);
      await sendUnread(station, 'same.png', bytes);
      const [item] = await itemsOf(station.id);
      const client = await open(station);
      expect(await client.send('same.png', bytes)).toContain(item?.item_id);
      // Another image under this name, and this image under another name, are other images.
      expect(await client.send('same.png', await stripes(6))).toMatch(/^226/);
      expect(await client.send('other.png', bytes)).toMatch(/^226/);
      client.socket.destroy();
      await done(station.id, 3);
    });

    it('because it could not read that the image was renamed, has it stored once', async () => {
      const station = await newStation();
      const bytes = await stripes(5);
      const rename = async (isRead: boolean) => {
        const client = await open(station);
        expect(await client.send('upload.part', bytes)).toMatch(/^226/);
        expect(await client.say('RNFR upload.part')).toMatch(/^350/);
        if (isRead) expect(await client.say('RNTO 0042.png')).toMatch(/^250/);
        else {
          client.socket.pause();
          client.socket.write('RNTO 0042.png\r\n');
          await done(station.id, 1);
          await pause(2000);
        }
        client.socket.destroy();
      };
      await rename(false);
      await rename(true);
      expect(await done(station.id, 1)).toMatchObject([{ name: '0042' }]);
    });

    it('after it has read the reply, has another one stored, at once and later', async () => {
      const station = await newStation();
      const bytes = await stripes(5);
      for (const wait of [0, 0, 1500]) {
        await pause(wait);
        const client = await open(station);
        expect(await client.send('same.png', bytes)).toMatch(/^226/);
        // In the same session, and in one that ends without QUIT.
        expect(await client.send('same.png', bytes)).toMatch(/^226/);
        client.socket.destroy();
      }
      await done(station.id, 6);
      // Nothing is remembered of images that their client knows to be stored.
      expect(
        await eventually(
          () => rowsOf(station.id),
          ({ length }) => length === 0,
        ),
      ).toEqual([]);
    });
  });

  it('that renames gives the item the last name, and is inspected once it did or is gone', async () => {
    const station = await newStation({ name_pattern: '(?<serial>\\d+)\\.png' });
    const client = await openControl();
    await client.logIn(station.user, station.password);
    expect(await client.send('upload.part', await stripes(6))).toMatch(/^226/);
    await pause(300);
    expect(await itemsOf(station.id)).toMatchObject([{ status: 'pending', name: 'upload', serial: null }]);
    expect(await client.say('RNFR upload.part')).toMatch(/^350/);
    expect(await client.say('RNTO 0042.png')).toMatch(/^250/);
    await done(station.id, 1);
    expect(await itemsOf(station.id)).toMatchObject([{ name: '0042', serial: '0042' }]);
    expect(await client.send('0043.png', await stripes(7))).toMatch(/^226/);
    await client.say('RNFR 0043.png');
    expect(await client.say('RNTO /part/0044.png')).toMatch(/^250/);
    expect((await done(station.id, 2))[1]).toMatchObject({ name: '0044', serial: '0044' });
    const found = await service.call('GET', '/api/v1/items/?item_type=prediction&name=0044');
    expect(dataOf<{ total: number }>(found).total).toBe(1);
    expect(await client.send('gone', await stripes(8))).toMatch(/^226/);
    client.socket.destroy();
    expect((await done(station.id, 3))[2]).toMatchObject({ name: 'gone', serial: null });
  });

  it('gets a reply to whatever it says, and data comes from its own address only', async () => {
    const station = await newStation();
    const client = await openControl();
    for (const line of ['STOR a.png', 'LIST', 'PASV', 'RETR a', 'CWD /'])
      expect(await client.say(line)).toMatch(/^530/);
    expect(await client.say('CONSTRUCTOR')).toMatch(/^502/);
    expect(await client.logIn(station.user, station.password)).toMatch(/^230/);
    const replies: [string, RegExp][] = [
      ['SYST', /^215/],
      ['TYPE I', /^200/],
      ['TYPE E', /^504/],
      ['PWD', /^257 "\/"/],
      ['MKD a"b', /^257 "\/a""b"/],
      ['CWD ../../x', /^250/],
      ['PWD', /^257 "\/x"/],
      ['CDUP', /^250/],
      ['RETR a.png', /^550/],
      ['SIZE a.png', /^550/],
      ['DELE a.png', /^550/],
      ['REST 10', /^504/],
      ['PORT 127,0,0,1,4,1', /^502/],
      ['EPRT |1|127.0.0.1|1025|', /^502/],
      ['STOR a.png', /^425/],
      ['RNTO a.png', /^503/],
      ['SITE EXEC ls', /^502/],
      ['ABOR', /^226/],
      ['EPSV ALL', /^200/],
      ['PASV', /^501/],
    ];
    for (const [line, answer] of replies) expect(await client.say(line), line).toMatch(answer);
    const port = await client.passive();
    expect(port >= 42_000 && port <= 42_199, `${port} is in the range that is set`).toBe(true);
    const stranger = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' });
    stranger.on('error', () => {});
    await once(stranger, 'close');
    const data = connect(port, '127.0.0.1');
    expect(await client.say('STOR own.png')).toMatch(/^150/);
    data.end(await stripes(9));
    expect(await client.reply()).toMatch(/^226/);
    expect(await client.send('text.png', Buffer.from('no image'))).toMatch(/^550/);
    client.socket.write('X'.repeat(5000));
    expect(await client.reply()).toMatch(/^500/);
    await done(station.id, 1);
  });

  it('that encrypts is heard from then on only: what somebody put behind its AUTH TLS is dropped', async () => {
    const socket = connect(service.ftpPort, '127.0.0.1');
    await once(socket, 'data');
    socket.write('AUTH TLS\r\nUSER somebody\r\nPASS else\r\n');
    expect(String(await once(socket, 'data'))).toMatch(/^234 /);
    const secure = connectTls({ socket, rejectUnauthorized: false });
    await once(secure, 'secureConnect');
    const say = async (line: string) => {
      secure.write(`${line}\r\n`);
      return String(await once(secure, 'data'));
    };
    expect(await say('NOOP')).toMatch(/^200 /);
    expect(await say('PASS mine')).toMatch(/^503 Send USER/);
    secure.destroy();
  });

  it('is told to try again while the station takes nothing', async () => {
    const station = await newStation({ model_id: null });
    const client = await openControl();
    await client.logIn(station.user, station.password);
    expect(await client.send('a.png', await stripes(1))).toMatch(/^450 .*model/);
    await service.call('PUT', `/api/v1/stations/${station.id}/model`, { body: { model_id: modelId } });
    expect(await client.send('a.png', await stripes(1))).toMatch(/^226/);
    client.socket.destroy();
    await done(station.id, 1);
  });

  it('with a wrong password is slowed down and shut out; a renewed password ends the old one', async () => {
    const station = await newStation();
    const path = `/api/v1/stations/${station.id}/ftp_login`;
    const renewed = dataOf<{ user: string; password: string }>(await service.call('POST', path));
    expect(renewed.user).toBe(station.user);
    expect(renewed.password).toMatch(/^[\w-]{16}$/);
    // From another address, whose limit is its own.
    const client = await openControl('127.0.0.9');
    expect(await client.logIn(station.user, renewed.password)).toMatch(/^230/);
    const old = await openControl('127.0.0.9');
    const askedAt = performance.now();
    expect(await old.logIn(station.user, station.password)).toMatch(/^530/);
    expect(performance.now() - askedAt).toBeGreaterThan(990);
    expect(await old.logIn('nobody', 'x')).toMatch(/^530/);
    expect(await old.logIn('nobody', 'x')).toMatch(/^421/);
    const again = await openControl('127.0.0.9');
    await again.logIn(station.user, 'x');
    const last = await openControl('127.0.0.9');
    expect(await last.logIn(station.user, 'y')).toMatch(/^421 Too many/);
    // The camera itself comes in, although somebody at its address used up the attempts.
    const camera = await openControl('127.0.0.9');
    expect(await camera.logIn(station.user, renewed.password)).toMatch(/^230/);
    const shown = JSON.stringify((await service.call('GET', `/api/v1/stations/${station.id}`)).body);
    expect(shown).not.toContain(renewed.password);
    const http = dataOf<Station>(await service.call('POST', '/api/v1/stations/', { body: { name: 'no ftp' } }));
    expectError(await service.call('POST', `/api/v1/stations/${http.station_id}/ftp_login`), 422, 'source.kind');
    await service.call('PUT', `/api/v1/stations/${station.id}`, { body: { enabled: false } });
    await pause(1500);
    const off = await openControl('127.0.0.10');
    expect(await off.logIn(station.user, renewed.password)).toMatch(/^530/);
    for (const { socket } of [client, old, again, last, camera, off]) socket.destroy();
  });

  it('that was killed while it sent leaves nothing', async () => {
    if (!hasProgram('curl')) return;
    const station = await newStation();
    const bytes = await sharp(await stripes(4))
      .resize(2000, 2000)
      .png({ compressionLevel: 0 })
      .toBuffer();
    const file = await fileOf('big.png', bytes);
    const login = `${station.user}:${station.password}`;
    const child = spawn('curl', ['-sS', '--limit-rate', '2M', '--user', login, '-T', file, urlOf('/big.png')]);
    await pause(1500);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await pause(1000);
    expect(await itemsOf(station.id)).toEqual([]);
  });
});

describe('FTP that is off', () => {
  it('is said where a station asks for it', async () => {
    const other = await startTestService();
    const body = { name: 'a', source: { kind: 'ftp' } };
    const error = expectError(await other.call('POST', '/api/v1/stations/', { body }), 422, 'source.kind');
    expect(error.detail).toContain('KENSA_FTP_PORT');
    await other.stop();
  });

  it('that must be encrypted refuses a login in clear', async () => {
    const tls = { KENSA_FTP_CERTIFICATE: join(folder, 'cert.pem'), KENSA_FTP_KEY: join(folder, 'key.pem') };
    const other = await startTestService({ KENSA_FTP_PORT: '0', KENSA_FTP_TLS: 'required', ...tls });
    const client = connect(other.ftpPort, '127.0.0.1');
    client.write('USER a\r\n');
    const [, refusal] = [await once(client, 'data'), await once(client, 'data')];
    expect(String(refusal)).toMatch(/^530 .*AUTH TLS/);
    client.destroy();
    await other.stop();
  });
});
