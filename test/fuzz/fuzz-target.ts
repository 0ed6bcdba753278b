import { ConfigError } from '../../src/config.ts';
import { AppError } from '../../src/errors.ts';
import type { Random } from '../../src/vision/types.ts';
import { VisionError } from '../../src/vision/vision-error.ts';

/** A parser of ours that is given what strangers may send. */
export interface FuzzTarget {
  readonly name: string;
  /** Feeds it one mutated input. Any error but those of `refusals` is a defect. */
  readonly feed: (random: Random) => unknown;
  /** It gets that many times fewer inputs than the others in `npm test`. */
  readonly slowness: number;
}

/** How a parser says no. */
export const refusals = [VisionError, AppError, ConfigError];

export const pick = <T>(values: readonly T[], random: Random): T => values[random.integer(values.length)] as T;
