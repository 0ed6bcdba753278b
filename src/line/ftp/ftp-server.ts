import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { replyLine } from './ftp-reply.ts';
import { type FtpOptions, serveFtpSession } from './ftp-session.ts';

export interface FtpServer {
  readonly port: number;
  /** Ends every connection. What is being stored is stored to its end. */
  close(): Promise<void>;
}

const mostSessions = 200;
const mostOfOneAddress = 50;

/**
 * Takes files by FTP, and gives none: RFC 959 in passive mode, with RFC 2428 (EPSV), RFC 4217 (explicit TLS).
 * @throws the error of the system where it cannot listen.
 */
export async function openFtpServer(options: FtpOptions & { host: string; port: number }): Promise<FtpServer> {
  const sessions = new Set<Socket>();
  const server = createServer((socket) => {
    const ofAddress = [...sessions].filter(({ remoteAddress }) => remoteAddress === socket.remoteAddress).length;
    if (sessions.size >= mostSessions || ofAddress >= mostOfOneAddress) {
      socket.on('error', () => socket.destroy());
      socket.end(replyLine(421, 'Too many connections. Try again.'));
      return;
    }
    sessions.add(socket);
    socket.on('close', () => sessions.delete(socket));
    serveFtpSession(socket, options);
  });
  server.listen({ host: options.host, port: options.port });
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.close();
      for (const socket of sessions) socket.destroy();
      if (server.listening) await once(server, 'close');
    },
  };
}
