/** Longer than any part of the service may take to stop. What still waits then would wait for ever, such as for a lost database. */
const LONGEST_STOP_MS = 60_000;

/** Resolves at Ctrl-C or when the system asks the process to end. A second signal ends it at once, and so does a minute. */
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
