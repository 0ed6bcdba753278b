import type { RetentionRule } from '../../../../src/client/shapes.ts';
import type { MessageKey } from '../../i18n/text.ts';

export type RetainedVerdict = RetentionRule['when_short'][number];

export const verdictTexts: Record<RetainedVerdict, MessageKey> = {
  OK: 'verdictOk',
  NG: 'verdictNg',
  unjudged: 'unjudged',
};

const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** Bytes in powers of 1,000, as disks are sold: `12.3 GB`. */
export function bytesText(bytes: number): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const value = bytes / 1000 ** power;
  return `${value.toLocaleString('en-US', { maximumFractionDigits: power === 0 || value >= 100 ? 0 : 1 })} ${units[power]}`;
}
