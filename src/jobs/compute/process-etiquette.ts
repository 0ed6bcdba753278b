/**
 * For the entry of every process that the service forks: ends when the parent is gone, and leaves signals that a
 * terminal or a supervisor sends to the whole group to the parent, which stops in good order.
 */
export function followParent(): void {
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => {});
  // Not by an exit: threads of ours that are in the middle of a run would end it with a crash.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
}

/** Sends a message to the parent; resolves when it is handed over. */
export function tellParent(message: object): Promise<void> {
  return new Promise((resolve) => {
    // A channel that is closed means that the parent is gone: 'disconnect' ends this process.
    if (!process.send || !process.connected) return resolve();
    process.send(message, undefined, undefined, () => resolve());
  });
}
