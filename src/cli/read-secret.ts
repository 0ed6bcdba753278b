import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { CommandError } from './command-error.ts';

/**
 * A password from the terminal, twice and without an echo, or the first line of standard input. Never an argument: other
 * users of the machine can read those.
 */
export async function readSecret(what: string): Promise<string> {
  if (!process.stdin.isTTY) return firstLine(what);
  const first = await ask(`${what}: `);
  if (first !== (await ask(`${what} again: `))) throw new CommandError('The two entries differ. Nothing was changed.');
  return first;
}

async function firstLine(what: string): Promise<string> {
  const lines = createInterface({ input: process.stdin });
  for await (const line of lines) {
    lines.close();
    return line;
  }
  throw new CommandError(`Standard input is empty. Write the ${what.toLowerCase()} to it, or run this in a terminal.`);
}

async function ask(prompt: string): Promise<string> {
  process.stderr.write(prompt);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true });
  try {
    const [line] = (await once(terminal, 'line')) as [string];
    return line;
  } finally {
    terminal.close();
    process.stderr.write('\n');
  }
}
