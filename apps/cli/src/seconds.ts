import { InvalidArgumentError } from 'commander';

/** Reads an option in seconds. */
export function seconds(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value <= 3600))
    throw new InvalidArgumentError('Expected seconds: a number greater than 0, at most 3600.');
  return value;
}
