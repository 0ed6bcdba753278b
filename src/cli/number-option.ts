import { InvalidArgumentError } from 'commander';

/** For an option that takes a number in plain digits. @throws InvalidArgumentError, which commander words with the option's name */
export function parseNumber(text: string): number {
  if (!/^[+-]?(\d+\.?\d*|\.\d+)$/.test(text)) throw new InvalidArgumentError('It must be a number.');
  return Number(text);
}

/** A count, from 1 up. @throws InvalidArgumentError */
export function parseCount(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1 up.');
  return Number(text);
}
