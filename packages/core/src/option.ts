import { SallyportError } from './errors.ts';

/** Refuses a name that is none of the options. Misspelt, a stricter setting would be passed over, and nobody would know. */
export function checkOptionNames(options: object, known: readonly string[], where: string): void {
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new SallyportError(
      'ERR_INVALID_OPTION',
      `${where} has no option ${JSON.stringify(unknown.slice(0, 60))}: see ${known.join(', ')}.`,
    );
}
