import type { Message } from '../../messages/message.ts';

/** A file that a source keeps and cannot read. */
export interface UnreadableFile {
  readonly name: string;
  readonly since: string;
  readonly problem: Message;
}

/** What a source says of itself. */
export interface SourceState {
  /** Why nothing comes; undefined: it works. */
  readonly fault: Message | undefined;
  /** When the fault appeared or went away. */
  readonly since: string;
  /** Files that wait to be stored. */
  readonly waiting: number;
  readonly unreadable: readonly UnreadableFile[];
}

export type SourceTracker = ReturnType<typeof trackSource>;

const mostShown = 20;

/** Follows the state of one source. @param onFault is told each change between working and not working. */
export function trackSource(onFault: (fault: Message | undefined) => void, fault?: Message) {
  let state: SourceState = { fault, since: new Date().toISOString(), waiting: 0, unreadable: [] };
  const unreadable = new Map<string, UnreadableFile>();
  return {
    current: (): SourceState => ({ ...state, unreadable: [...unreadable.values()].slice(0, mostShown) }),
    setFault(next: Message | undefined): void {
      if (JSON.stringify(next) === JSON.stringify(state.fault)) return;
      // The same fault in other words goes on: its time stays.
      const since = next !== undefined && next.code === state.fault?.code ? state.since : new Date().toISOString();
      state = { ...state, fault: next, since };
      onFault(next);
    },
    setWaiting(waiting: number): void {
      state = { ...state, waiting };
    },
    addUnreadable(file: UnreadableFile): void {
      unreadable.set(file.name, file);
    },
    removeUnreadable: (name: string): boolean => unreadable.delete(name),
    /** Forgets files that are not there any more. */
    keepUnreadable(isThere: (name: string) => boolean): void {
      for (const name of unreadable.keys()) if (!isThere(name)) unreadable.delete(name);
    },
  };
}
