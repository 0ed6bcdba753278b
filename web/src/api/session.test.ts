import { expect, it } from 'vitest';
import { may, type PageSession, session } from './session.ts';

const never = () => new AbortController().signal;
const signedOut: PageSession = {
  account: null,
  first_start: false,
  single_sign_on: null,
  pin_role: 'none',
  terminal: null,
};
const signedIn = (name: string): PageSession => ({
  ...signedOut,
  account: {
    kind: 'user',
    id: name,
    name,
    role: 'inspector',
    method: 'password',
    has_pin: false,
    expires_at: '2099-01-01T00:00:00Z',
  },
});

it('keeps those waiting that found the session over, until somebody signs in', async () => {
  session.begin(signedIn('me'));
  session.expire();
  let waiting = 2;
  const waits = [session.renewed(never()), session.renewed(never())].map((wait) => wait.then(() => waiting--));
  await Promise.resolve();
  expect(waiting).toBe(2);
  session.begin(signedIn('me'));
  await Promise.all(waits);
  expect(session.get().expired).toBe(false);
});

it('lets go of a request that is given up, and of all at a sign-out', async () => {
  session.begin(signedIn('me'));
  session.expire();
  const given = new AbortController();
  const first = session.renewed(given.signal);
  given.abort();
  await first;
  const second = session.renewed(never());
  session.begin(signedOut);
  await second;
  expect(session.account()).toBeNull();
});

it('says what the role may do, and nothing before somebody is signed in', () => {
  session.begin(signedOut);
  expect(may('viewer')).toBe(false);
  session.begin(signedIn('me'));
  expect([may('viewer'), may('inspector'), may('engineer')]).toEqual([true, true, false]);
});
