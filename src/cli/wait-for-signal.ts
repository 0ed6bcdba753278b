/** More than any part of the service is given to stop. What still waits then, for a database that is gone, waits for ever. */
const LONGEST_STOP_MS = 60_000;

/**
 * Resolves at Ctrl-C or when the system asks the process to end. A second one ends it at once, and a minute does whatever
 * happens.
 */
export function waitForSignal(): Promise<void> {
  return new Promise((resolve) => {
    let asked = false;
    const onSignal = (): void => {
      if (asked) process.exit(130);
      asked = true;
      setTimeout(() => process.exit(1), LONGEST_STOP_MS).unref();
      resolve();
    };
    process.on('SIGINT', onSignal);
    process.on('SIGTERM', onSignal);
  });
}
