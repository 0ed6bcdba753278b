import { expect, it } from 'vitest';
import { session } from './session.ts';

const never = () => new AbortController().signal;

it('keeps those waiting that found the token out of date, until somebody logs in', async () => {
  session.begin({ token: 'first', clientId: 'me' });
  session.expire('first');
  let waiting = 2;
  const waits = [session.renewed(never()), session.renewed(never())].map((wait) => wait.then(() => waiting--));
  await Promise.resolve();
  expect(waiting).toBe(2);
  session.begin({ token: 'second', clientId: 'me' });
  await Promise.all(waits);
  expect(session.get()).toEqual({ session: { token: 'second', clientId: 'me' }, expired: false });
});

it('does not end a new session for an answer to an old one', async () => {
  session.begin({ token: 'third', clientId: 'me' });
  session.expire('second');
  expect(session.get().expired).toBe(false);
  await session.renewed(never());
});

it('lets go of a request that is given up, and of all at a logout', async () => {
  session.begin({ token: 'fourth', clientId: 'me' });
  session.expire('fourth');
  const given = new AbortController();
  const first = session.renewed(given.signal);
  given.abort();
  await first;
  const second = session.renewed(never());
  session.end();
  await second;
  expect(session.get().session).toBeUndefined();
});
