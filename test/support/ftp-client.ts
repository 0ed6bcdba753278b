import { connect, type Socket } from 'node:net';

/** Sends a file as a camera does. @param onData called before its first byte. @returns whether the server said that it is stored. Never throws. */
export async function sendByFtp(
  server: { port: number; user: string; password: string },
  name: string,
  bytes: Uint8Array,
  onData = (): void => {},
): Promise<boolean> {
  const control = connect(server.port, '127.0.0.1');
  let data: Socket | undefined;
  try {
    const say = speak(control);
    await say();
    await say(`USER ${server.user}`);
    if (!(await say(`PASS ${server.password}`)).startsWith('230')) return false;
    const port = Number(/\|(\d+)\|/.exec(await say('EPSV'))?.[1]);
    data = connect(port, '127.0.0.1');
    data.on('error', () => {});
    if (!(await say(`STOR ${name}`)).startsWith('150')) return false;
    onData();
    data.end(bytes);
    return (await say()).startsWith('226');
  } catch {
    return false;
  } finally {
    control.destroy();
    data?.destroy();
  }
}

/** A function that sends a line, where one is given, and returns the next reply. It throws where the connection ends. */
function speak(socket: Socket): (line?: string) => Promise<string> {
  let received = '';
  let isOver = false;
  let wake = (): void => {};
  socket.setTimeout(30_000, () => socket.destroy());
  socket.on('data', (text) => {
    received += text;
    wake();
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    isOver = true;
    wake();
  });
  return async (line) => {
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
}
