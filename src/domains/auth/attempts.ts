import ipaddr from 'ipaddr.js';
import { AppError } from '../../errors.ts';

const mostKept = 20_000;

/** An account takes this many wrong passwords in ten minutes from addresses at which it never signed in. */
const accountAttempts = 20;
const accountMs = 600_000;

export type Attempts = ReturnType<typeof createAttempts>;

/** To call when the attempt was right: it no longer counts. */
type Succeed = () => void;

/**
 * Limits wrong attempts to sign in, for each address and each account. An account that has signed in at an address is
 * counted there by itself: a stranger who uses up the attempts of an address or of an account keeps nobody else out.
 * @param accounts whether accounts are limited beside addresses: people's passwords are, long secrets of machines are not
 */
export function createAttempts(options: { perMinute: number; accounts: boolean; now?: () => number }) {
  const { perMinute, accounts, now = Date.now } = options;
  const windows = new Map<string, { count: number; endsAt: number }>();
  const known = new Set<string>();

  const take = (key: string, most: number, ms: number): Succeed => {
    const kept = windows.get(key);
    const open = kept && kept.endsAt > now() ? kept : { count: 0, endsAt: now() + ms };
    if (open.count >= most) {
      const seconds = Math.ceil((open.endsAt - now()) / 1000);
      throw new AppError('rate-limited', { seconds }, { retryAfterSeconds: seconds });
    }
    open.count += 1;
    windows.set(key, open);
    if (windows.size > mostKept) for (const [other, { endsAt }] of windows) if (endsAt <= now()) windows.delete(other);
    // A flood of addresses pushes the oldest out, and never takes more memory.
    for (const [oldest] of windows) {
      if (windows.size <= mostKept) break;
      windows.delete(oldest);
    }
    return () => {
      open.count -= 1;
    };
  };

  return {
    /**
     * Counts an attempt before it is tried.
     * @param apart whether the account is counted by itself at every address
     * @throws AppError `rate-limited`
     */
    take(address: string, account: string, apart = false): Succeed {
      const network = networkOf(address);
      const pair = `${network} ${account}`;
      const undo =
        apart || known.has(pair)
          ? [take(`known ${pair}`, perMinute, 60_000)]
          : [
              take(`address ${network}`, perMinute, 60_000),
              ...(accounts ? [take(`account ${account}`, Math.max(accountAttempts, perMinute), accountMs)] : []),
            ];
      return () => {
        for (const give of undo) give();
        // The newest is last.
        known.delete(pair);
        known.add(pair);
        const [oldest] = known;
        if (known.size > mostKept && oldest !== undefined) known.delete(oldest);
      };
    },
  };
}

/** One user of IPv6 has a whole /64. */
function networkOf(address: string): string {
  if (!ipaddr.IPv6.isValid(address)) return address;
  const parsed = ipaddr.IPv6.parse(address);
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  return parsed.parts.slice(0, 4).join(':');
}
