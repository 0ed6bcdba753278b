import { connect, type Socket } from 'node:net';

/**
 * Sends a file as a camera does. Never throws.
 * @param options.onSent called when its last byte is sent
 * @param options.beforeReply called after its last byte; until it is over, the client reads nothing
 * @returns whether the server said that it is stored.
 */
export async function sendByFtp(
  server: { port: number; user: string; password: string },
  name: string,
  bytes: Uint8Array,
  options: { onSent?: () => void; beforeReply?: () => Promise<boolean> } = {},
): Promise<boolean> {
  const { control, say } = openControl(server.port);
  let data: Socket | undefined;
  try {
    await say();
    await say(`USER ${server.user}`);
    if (!(await say(`PASS ${server.password}`)).startsWith('230')) return false;
    const port = Number(/\|(\d+)\|/.exec(await say('EPSV'))?.[1]);
    data = connect(port, '127.0.0.1');
    data.on('error', () => {});
    if (!(await say(`STOR ${name}`)).startsWith('150')) return false;
    if (options.beforeReply) control.pause();
    data.end(bytes, options.onSent);
    if (options.beforeReply && !(await options.beforeReply())) return false;
    control.resume();
    return (await say()).startsWith('226');
  } catch {
    return false;
  } finally {
    control.destroy();
    data?.destroy();
  }
}

/** A control connection, and a function that sends a line, where one is given, and returns the next reply. It throws where the connection ends. */
function openControl(port: number): { control: Socket; say: (line?: string) => Promise<string> } {
  let received = '';
  let isOver = false;
  let wake = (): void => {};
  // With `onread`, `pause` leaves in the system what comes then.
  const onread = {
    buffer: Buffer.alloc(4096),
    callback(length: number, buffer: Uint8Array) {
      received += Buffer.from(buffer.subarray(0, length)).toString('utf8');
      wake();
      return true;
    },
  };
  const socket = connect({ port, host: '127.0.0.1', onread });
  socket.setTimeout(30_000, () => socket.destroy());
  socket.on('error', () => {});
  socket.on('close', () => {
    isOver = true;
    wake();
  });
  const say = async (line?: string): Promise<string> => {
    if (line !== undefined) socket.write(`${line}\r\n`);
    for (;;) {
      const end = received.indexOf('\n');
      if (end >= 0) {
        const reply = received.slice(0, end).trim();
        received = received.slice(end + 1);
        return reply;
      }
      if (isOver) throw new Error('The connection ended.');
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  return { control: socket, say };
}
