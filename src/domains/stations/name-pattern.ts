import { createContext, Script } from 'node:vm';
import { type Message, say } from '../../messages/message.ts';
import type { ItemOrigin } from '../items/items.schemas.ts';

/** Names of files are far shorter; the rest of a longer one is not looked at. */
const longestName = 500;
const longestText = 200;
/** `serial`, `lot` and 16 fields. */
const mostGroups = 18;
/** A name takes microseconds. A pattern that runs longer repeats what is repeated inside it. */
const patienceMs = 100;

const context = createContext({});
const script = new Script('pattern.exec(name)?.groups');

/** @returns the named groups; undefined where the name does not match, or the pattern is not done in time. */
function match(pattern: RegExp, name: string): Record<string, string | undefined> | undefined {
  Object.assign(context, { pattern, name: name.slice(0, longestName) });
  // The engine checks this limit also while it goes back and forth inside a regular expression.
  const run = (timeout: number) => script.runInContext(context, { timeout });
  try {
    return run(patienceMs);
  } catch {
    // On a busy machine this process may have waited for its turn all the time.
    return run(4 * patienceMs);
  }
}

/** What is wrong with the pattern that a person set; undefined: nothing. */
export function findPatternProblem(text: string): Message | undefined {
  let groups: string[];
  try {
    // Matches every name with no group filled, and so has all names of groups.
    groups = Object.keys(new RegExp(`${text}|`, 'u').exec('')?.groups ?? {});
  } catch (error) {
    return say('pattern.invalid', { details: error instanceof Error ? error.message : String(error) });
  }
  if (groups.length === 0) return say('pattern.no-groups', { example: '(?<serial>[0-9]+)' });
  if (groups.length > mostGroups) return say('pattern.groups', { count: groups.length, limit: mostGroups });
  const pattern = new RegExp(text, 'u');
  for (const piece of ['a', 'A', '0', 'a0', '_', '-', 'a_', '0_', '0-', ' ']) {
    const name = `${piece.repeat(100)}\n`;
    try {
      match(pattern, name);
    } catch {
      return say('pattern.too-slow', { received: `${piece.repeat(5)}…` });
    }
  }
  return undefined;
}

/** What the name of a file says of the item. A name that does not match says nothing. */
export function readName(pattern: string, name: string): ItemOrigin {
  let groups: Record<string, string | undefined> | undefined;
  try {
    groups = match(new RegExp(pattern, 'u'), name);
  } catch {
    // Too slow on this one name. The image is worth more than what its name says.
  }
  const known = Object.entries(groups ?? {}).flatMap(([key, value]) =>
    value ? [[key, value.slice(0, longestText)] as const] : [],
  );
  const { serial, lot, ...fields } = Object.fromEntries(known);
  return { ...(serial ? { serial } : {}), ...(lot ? { lot } : {}), fields };
}
