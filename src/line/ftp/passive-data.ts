import { createServer, type Server, type Socket } from 'node:net';
import { type SecureContext, TLSSocket } from 'node:tls';
import { FtpReply } from './ftp-reply.ts';

const patienceMs = 30_000;

/** A port that waits for one data connection, which must come from the address of the control connection. */
export interface PassivePort {
  readonly port: number;
  /** Waits for the connection. @throws FtpReply 425 where none comes. */
  accept(secure: SecureContext | undefined): Promise<Socket>;
  close(): void;
}

/** @throws FtpReply 425 where all ports of the range are taken. */
export async function openPassivePort(
  [first, last]: readonly [number, number],
  localAddress: string,
  remoteAddress: string,
): Promise<PassivePort> {
  const size = last - first + 1;
  const start = Math.floor(Math.random() * size);
  for (let turn = 0; turn < size; turn++) {
    const port = first + ((start + turn) % size);
    const server = await listen(port, localAddress);
    if (server) return waitOn(server, port, remoteAddress);
  }
  throw new FtpReply(425, 'All passive ports are in use. Try again.');
}

function listen(port: number, host: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer({ pauseOnConnect: true });
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' || error.code === 'EACCES' ? resolve(undefined) : reject(error),
    );
    server.listen({ port, host, exclusive: true }, () => resolve(server));
  });
}

function waitOn(server: Server, port: number, remoteAddress: string): PassivePort {
  let accepted: Socket | undefined;
  let isClosed = false;
  const waiting = new Promise<Socket>((resolve, reject) => {
    const fail = (): void => reject(new FtpReply(425, 'No data connection came. Open it to the passive port.'));
    const timer = setTimeout(fail, patienceMs).unref();
    server.on('close', () => {
      clearTimeout(timer);
      fail();
    });
    server.on('error', fail);
    server.on('connection', (socket) => {
      // Somebody else who found the port.
      if (socket.remoteAddress !== remoteAddress) return void socket.destroy();
      socket.on('error', () => {});
      accepted = socket;
      resolve(socket);
      server.close();
    });
  });
  waiting.catch(() => {});
  return {
    port,
    async accept(secure) {
      const socket = await waiting;
      if (!secure) return socket;
      const tls = new TLSSocket(socket, { isServer: true, secureContext: secure });
      tls.on('error', () => {});
      await new Promise<void>((resolve, reject) => {
        const fail = (): void => reject(new FtpReply(425, 'The data connection could not be encrypted.'));
        tls.setTimeout(patienceMs, fail).once('secure', resolve).once('close', fail);
      });
      return tls;
    },
    close() {
      if (isClosed) return;
      isClosed = true;
      server.close();
      accepted?.destroy();
    },
  };
}
