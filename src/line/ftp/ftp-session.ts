import { once } from 'node:events';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { type SecureContext, TLSSocket } from 'node:tls';
import { FtpReply, replyLine } from './ftp-reply.ts';
import { openPassivePort, type PassivePort } from './passive-data.ts';
import { resolvePath } from './virtual-path.ts';

/** What becomes of logins and files. A refusal is thrown as FtpReply. */
export interface FtpBackend {
  /** @returns the account; undefined where user and password do not belong together. */
  login(user: string, password: string, address: string): Promise<string | undefined>;
  /** Takes a file as it arrives. @returns its id once it is stored for good. */
  store(account: string, path: string, file: Readable): Promise<string>;
  /** The client has read that the file is stored, and where it renamed the file, that this is done. */
  acknowledge(fileId: string): void;
  /** @returns the id of a file that the account has sent under this name and not renamed yet. */
  find(account: string, path: string): Promise<string | undefined>;
  rename(account: string, fileId: string, path: string): Promise<void>;
  /** The client is gone. @param fileIds what it has sent in this session */
  end(account: string, fileIds: readonly string[]): void;
}

export interface FtpOptions {
  readonly backend: FtpBackend;
  readonly passivePorts: readonly [number, number];
  /** IPv4 address that clients are told; undefined: the one that they connected to. */
  readonly passiveAddress: string | undefined;
  readonly secure: SecureContext | undefined;
  readonly requireTls: boolean;
  readonly maxBytes: number;
  readonly idleMs: number;
}

const loginMs = 60_000;
const stallMs = 60_000;
const longestLine = 4096;
const mostWaitingLines = 64;
const mostFailures = 3;
const failurePauseMs = 1000;
/** Files of a session that can still be renamed. */
const mostRemembered = 100;

type Command = (argument: string) => Promise<void> | void;

/** Serves one control connection until it ends. */
export function serveFtpSession(connection: Socket, options: FtpOptions): void {
  const { backend, secure } = options;
  const remoteAddress = connection.remoteAddress ?? '';
  const localAddress = connection.localAddress ?? '';
  let control: Socket = connection;
  let user: string | undefined;
  let account: string | undefined;
  let failures = 0;
  let folder = '/';
  let passive: PassivePort | undefined;
  let onlyExtended = false;
  let isPrivate = false;
  let transfer: Socket | undefined;
  let renaming: { path: string; fileId: string } | undefined;
  let text = '';
  let lines: string[] = [];
  let isBusy = false;
  let isOver = false;
  /** Id of the last stored file, until the client shows that it has read the reply. */
  let unconfirmed: string | undefined;
  const sent = new Map<string, string>();

  const reply = (code: number, words: string): void => {
    if (!control.destroyed) control.write(replyLine(code, words));
  };
  const finish = (code: number, words: string): void => {
    isOver = true;
    lines = [];
    control.end(replyLine(code, words));
    // A client that does not close is closed.
    setTimeout(() => control.destroy(), 2000).unref();
  };
  const closePassive = (): void => {
    passive?.close();
    passive = undefined;
  };

  const confirm = (): void => {
    if (unconfirmed !== undefined) backend.acknowledge(unconfirmed);
    unconfirmed = undefined;
  };

  /** The client closes the connection, with nothing left to read: else its system would reset the connection. */
  const onEnd = (): void => {
    isOver = true;
    confirm();
  };

  const onClose = (): void => {
    isOver = true;
    lines = [];
    transfer?.destroy();
    closePassive();
    if (account !== undefined) backend.end(account, [...sent.values()]);
    account = undefined;
  };

  const onData = (chunk: Buffer): void => {
    text += chunk.toString('utf8');
    takeLines();
    void work();
  };

  const takeLines = (): void => {
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
      const line = text.slice(0, end).replace(/\r$/, '');
      text = text.slice(end + 1);
      // Telnet signals before ABOR are no part of it.
      const isAbort = /^\ufffd*ABOR$/i.test(line.trim());
      if (isAbort) transfer?.destroy(new FtpReply(426, 'The transfer was aborted.'));
      // A client that renames is told so by one more reply.
      if (!/^RN(FR|TO) /i.test(line)) confirm();
      lines.push(isAbort ? 'ABOR' : line);
    }
    if (text.length > longestLine) finish(500, 'The line is too long.');
    else if (lines.length > mostWaitingLines) finish(421, 'Too many commands at once.');
  };

  const work = async (): Promise<void> => {
    if (isBusy) return;
    isBusy = true;
    for (let line = lines.shift(); line !== undefined && !isOver; line = lines.shift()) await run(line);
    isBusy = false;
  };

  const run = async (line: string): Promise<void> => {
    const [, name = '', argument = ''] = /^(\S*) ?(.*)$/s.exec(line) ?? [];
    const verb = name.toUpperCase();
    const command = Object.hasOwn(open, verb) ? open[verb] : Object.hasOwn(commands, verb) ? commands[verb] : undefined;
    try {
      if (!command) throw new FtpReply(502, 'This command is not known here.');
      if (account === undefined && !Object.hasOwn(open, verb)) throw new FtpReply(530, 'Log in with USER and PASS.');
      await command(argument);
    } catch (error) {
      if (error instanceof FtpReply) reply(error.code, error.message);
      else reply(451, 'Something failed at the server. Try again.');
    }
  };

  const watch = (socket: Socket): void => {
    socket.on('data', onData);
    socket.on('error', () => socket.destroy());
    socket.on('end', onEnd);
    socket.on('close', onClose);
    socket.setTimeout(options.idleMs, () => {
      if (!transfer) finish(421, 'Nothing came for too long.');
    });
  };

  const startTls = async (): Promise<void> => {
    if (!secure) throw new FtpReply(431, 'This server has no certificate.');
    if (control instanceof TLSSocket) throw new FtpReply(503, 'The connection is encrypted already.');
    control.removeAllListeners('data');
    control.removeAllListeners('end');
    control.removeAllListeners('close');
    control.removeAllListeners('timeout');
    // What was sent in clear after AUTH may come from somebody else.
    text = '';
    lines = [];
    await new Promise((resolve) => control.write(replyLine(234, 'Go on encrypted.'), resolve));
    user = undefined;
    account = undefined;
    control = new TLSSocket(control, { isServer: true, secureContext: secure });
    watch(control);
  };

  const login = async (password: string): Promise<void> => {
    if (user === undefined) throw new FtpReply(503, 'Send USER first.');
    const found = await backend.login(user, password, remoteAddress);
    user = undefined;
    if (found !== undefined) {
      account = found;
      return reply(230, 'Logged in. You may send files.');
    }
    failures++;
    await pause(failurePauseMs);
    if (failures >= mostFailures) return finish(421, 'User or password is wrong. Connect again.');
    reply(530, 'User or password is wrong.');
  };

  const openPassive = async (): Promise<PassivePort> => {
    closePassive();
    passive = await openPassivePort(options.passivePorts, localAddress, remoteAddress);
    return passive;
  };

  /** The data connection, while `use` needs it. */
  const withData = async <T>(use: (socket: Socket) => Promise<T>): Promise<T> => {
    const port = passive;
    passive = undefined;
    if (!port) throw new FtpReply(425, 'Send PASV or EPSV first.');
    if (options.requireTls && !isPrivate) {
      port.close();
      throw new FtpReply(521, 'Send PROT P first: this server wants encrypted data.');
    }
    try {
      reply(150, 'Send.');
      const socket = await port.accept(isPrivate ? secure : undefined);
      transfer = socket;
      if (isOver) throw new FtpReply(426, 'The control connection is closed.');
      socket.setTimeout(stallMs, () => socket.destroy(new FtpReply(426, 'Nothing came for too long.')));
      return await use(socket);
    } finally {
      transfer = undefined;
      port.close();
    }
  };

  const store = async (argument: string): Promise<void> => {
    const path = resolvePath(folder, argument);
    if (path === '/') throw new FtpReply(553, 'Send the name of a file.');
    const owner = account ?? '';
    const fileId = await withData((socket) =>
      backend.store(owner, path, Readable.from(received(socket), { objectMode: false })),
    );
    sent.delete(path);
    sent.set(path, fileId);
    for (const oldest of sent.keys()) {
      if (sent.size <= mostRemembered) break;
      sent.delete(oldest);
    }
    // A client that has given up meanwhile is noticed first: sockets are looked at between these two.
    await nextTurn();
    await nextTurn();
    if (isOver) return;
    reply(226, `Stored as ${fileId}.`);
    unconfirmed = fileId;
  };

  /** The bytes of a data connection. @throws FtpReply where it breaks off, or sends too much. */
  async function* received(socket: Socket): AsyncGenerator<Buffer> {
    let size = 0;
    try {
      for await (const chunk of socket as AsyncIterable<Buffer>) {
        size += chunk.length;
        if (size > options.maxBytes)
          throw new FtpReply(552, `The file has more than ${options.maxBytes / 1024 / 1024} MiB.`);
        yield chunk;
      }
    } catch (error) {
      throw error instanceof FtpReply ? error : new FtpReply(426, 'The data connection broke off.');
    }
    // A client that was killed closes both connections.
    if (isOver) throw new FtpReply(426, 'The control connection is closed.');
  }

  /** Nobody may see what is there. */
  const listNothing = async (): Promise<void> => {
    await withData(async (socket) => {
      socket.resume();
      socket.end();
      if (!socket.destroyed) await once(socket, 'close').catch(() => {});
    });
    reply(226, 'This server lists nothing.');
  };

  const refuse =
    (code: number, words: string): Command =>
    () =>
      reply(code, words);

  /** Commands that need no login. */
  const open: Readonly<Record<string, Command>> = {
    USER(name) {
      if (options.requireTls && !(control instanceof TLSSocket))
        throw new FtpReply(530, 'This server wants encryption. Send AUTH TLS first.');
      user = name;
      account = undefined;
      reply(331, 'Send the password.');
    },
    PASS: login,
    AUTH: (kind) => (/^TLS(-C)?$|^SSL$/i.test(kind) ? startTls() : reply(504, 'Send AUTH TLS.')),
    PBSZ: () => (control instanceof TLSSocket ? reply(200, 'PBSZ=0') : reply(503, 'Send AUTH TLS first.')),
    PROT(level) {
      if (!(control instanceof TLSSocket)) throw new FtpReply(503, 'Send AUTH TLS first.');
      const wanted = level.toUpperCase();
      if (wanted !== 'P' && wanted !== 'C') throw new FtpReply(536, 'Send PROT P or PROT C.');
      if (wanted === 'C' && options.requireTls) throw new FtpReply(534, 'This server wants encrypted data.');
      isPrivate = wanted === 'P';
      reply(200, 'So be it.');
    },
    FEAT() {
      const features = ['UTF8', 'EPSV', 'PASV', ...(secure ? ['AUTH TLS', 'PBSZ', 'PROT'] : [])];
      control.write(`211-Features:\r\n${features.map((name) => ` ${name}\r\n`).join('')}211 End\r\n`);
    },
    OPTS: (what) => (/^UTF-?8( ON)?$/i.test(what) ? reply(200, 'UTF-8 is on.') : reply(501, 'It has no such option.')),
    SYST: refuse(215, 'UNIX Type: L8'),
    NOOP: refuse(200, 'OK.'),
    HELP: refuse(214, 'This server takes images. Send STOR.'),
    QUIT: () => finish(221, 'Goodbye.'),
  };

  const writeOnly = refuse(550, 'This server takes files and gives none.');
  const noActive = refuse(502, 'Active mode is off. Use passive mode (PASV, EPSV).');

  const setFolder: Command = (argument) => {
    folder = resolvePath(folder, argument);
    reply(250, 'OK.');
  };
  const makeFolder: Command = (argument) =>
    reply(257, `"${resolvePath(folder, argument).replaceAll('"', '""')}" is there.`);
  const showFolder: Command = () => reply(257, `"${folder.replaceAll('"', '""')}" is the folder.`);

  const commands: Readonly<Record<string, Command>> = {
    // Files come whole: there is nothing to append to.
    STOR: store,
    APPE: store,
    // Nothing is overwritten here, so each name is as good as a unique one.
    STOU: (argument) => store(argument || 'image'),
    CWD: setFolder,
    XCWD: setFolder,
    CDUP: () => setFolder('..'),
    XCUP: () => setFolder('..'),
    MKD: makeFolder,
    XMKD: makeFolder,
    PWD: showFolder,
    XPWD: showFolder,
    LIST: listNothing,
    NLST: listNothing,
    MLSD: listNothing,
    MLST: writeOnly,
    STAT: refuse(211, 'This server takes images.'),
    SIZE: writeOnly,
    MDTM: writeOnly,
    RETR: writeOnly,
    DELE: writeOnly,
    RMD: writeOnly,
    XRMD: writeOnly,
    async RNFR(argument) {
      const path = resolvePath(folder, argument);
      const fileId = sent.get(path) ?? (await backend.find(account ?? '', path));
      if (fileId === undefined) throw new FtpReply(550, 'There is no such file of yours.');
      renaming = { path, fileId };
      reply(350, 'Send RNTO.');
    },
    async RNTO(argument) {
      const from = renaming;
      renaming = undefined;
      if (!from) throw new FtpReply(503, 'Send RNFR first.');
      const path = resolvePath(folder, argument);
      await backend.rename(account ?? '', from.fileId, path);
      sent.delete(from.path);
      sent.set(path, from.fileId);
      reply(250, 'Renamed.');
    },
    TYPE: (kind) => (/^(A( N)?|I|L 8)$/i.test(kind) ? reply(200, 'OK.') : reply(504, 'Send TYPE I.')),
    MODE: (mode) => (/^S$/i.test(mode) ? reply(200, 'OK.') : reply(504, 'Send MODE S.')),
    STRU: (structure) => (/^F$/i.test(structure) ? reply(200, 'OK.') : reply(504, 'Send STRU F.')),
    ALLO: refuse(202, 'Not needed.'),
    REST: (offset) => (offset.trim() === '0' ? reply(350, 'OK.') : reply(504, 'Send the file from its beginning.')),
    ABOR: refuse(226, 'Aborted.'),
    PORT: noActive,
    EPRT: noActive,
    async PASV() {
      if (onlyExtended) throw new FtpReply(501, 'Send EPSV.');
      const address = options.passiveAddress ?? localAddress.replace(/^::ffff:/i, '');
      if (!/^\d+\.\d+\.\d+\.\d+$/.test(address)) throw new FtpReply(425, 'PASV is for IPv4. Send EPSV.');
      const { port } = await openPassive();
      reply(227, `Entering Passive Mode (${address.replaceAll('.', ',')},${port >> 8},${port & 255}).`);
    },
    async EPSV(argument) {
      if (/^ALL$/i.test(argument)) {
        onlyExtended = true;
        return reply(200, 'OK.');
      }
      const { port } = await openPassive();
      reply(229, `Entering Extended Passive Mode (|||${port}|)`);
    },
  };

  setTimeout(() => {
    if (account === undefined && !isOver) finish(421, 'Nobody logged in.');
  }, loginMs).unref();
  connection.setKeepAlive(true, 30_000);
  connection.setNoDelay(true);
  watch(connection);
  reply(220, 'Kensa takes images.');
}
