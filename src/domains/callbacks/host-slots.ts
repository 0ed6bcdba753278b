export type HostSlots = ReturnType<typeof createHostSlots>;

interface HostState {
  active: number;
  /** Moving average of how long a call takes. */
  callMs: number;
  /** When the next call that had to wait may come. */
  nextTurnAt: number;
}

const shortestWaitMs = 50;
const longestWaitMs = 60_000;

/** Limits the calls to one host at a time, so that a receiver that hangs holds few connections. */
export function createHostSlots(options: { perHost: number; now?: () => number }) {
  const now = options.now ?? (() => performance.now());
  // One entry for each receiver; receivers are few.
  const hosts = new Map<string, HostState>();

  return {
    /** Takes a slot and returns the function that gives it back; undefined while the host's slots are all taken. */
    take(host: string): (() => void) | undefined {
      const state = hosts.get(host) ?? { active: 0, callMs: shortestWaitMs, nextTurnAt: 0 };
      if (state.active >= options.perHost) return undefined;
      hosts.set(host, state);
      state.active++;
      const startedAt = now();
      return () => {
        state.active--;
        state.callMs = state.callMs * 0.5 + (now() - startedAt) * 0.5;
      };
    },
    /** How long a call that got no slot should wait: later ones longer, by how long the host's calls take. */
    waitMs(host: string): number {
      const state = hosts.get(host);
      if (!state) return shortestWaitMs;
      const earliest = now() + shortestWaitMs;
      const turn = Math.max(earliest, state.nextTurnAt + state.callMs / options.perHost);
      state.nextTurnAt = Math.min(turn, now() + longestWaitMs);
      return state.nextTurnAt - now();
    },
  };
}
