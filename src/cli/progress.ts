const barWidth = 24;
const lineIntervalMs = 2000;

/** A bar that redraws itself on a terminal; elsewhere a plain line now and then. Written to standard error. */
export function createProgress(title: string) {
  const terminal = process.stderr.isTTY === true;
  let lastAt = 0;
  let lastText = '';
  return {
    /** @param fraction 0 to 1 */
    update(fraction: number, text: string): void {
      const percent = `${String(Math.floor(fraction * 100)).padStart(3)} %`;
      if (terminal) {
        const filled = Math.round(fraction * barWidth);
        const bar = '█'.repeat(filled) + '░'.repeat(barWidth - filled);
        process.stderr.write(`\r\u001b[2K${title} ${bar} ${percent}  ${text.slice(0, 80)}`);
      } else if (text !== lastText && Date.now() - lastAt > lineIntervalMs) {
        process.stderr.write(`${title} ${percent}  ${text}\n`);
        lastAt = Date.now();
        lastText = text;
      }
    },
    end(): void {
      if (terminal) process.stderr.write('\r\u001b[2K');
    },
  };
}
