import { InvalidArgumentError } from 'commander';

/** A day that is over, as an option names it. */
export function pastDay(text: string): Date {
  const date = new Date(`${text}T00:00:00Z`);
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(text) && date.toJSON()?.startsWith(text) === true;
  if (!isDate || date.getTime() > Date.now()) throw new InvalidArgumentError('Give a day that is over, as 2026-01-01.');
  return date;
}
