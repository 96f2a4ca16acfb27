import type { PolicyBody } from '@sallyport/gateway';
import { type Paint, printable } from '../terminal-text.ts';

/** The values of a policy by where they are, such as `servers.mail.trusted`. */
function valuesOf(value: unknown, place = ''): ReadonlyMap<string, string> {
  const isEmpty =
    typeof value !== 'object' || value === null || Array.isArray(value) || Object.keys(value).length === 0;
  if (isEmpty) return new Map(place === '' ? [] : [[place, JSON.stringify(value)]]);
  const nested = Object.entries(value).map(([name, each]) => valuesOf(each, place === '' ? name : `${place}.${name}`));
  return new Map(nested.flatMap((each) => [...each]));
}

function lineOf(place: string, before: string | undefined, after: string | undefined, paint: Paint): string {
  const name = printable(place);
  if (before === undefined) return paint('green', `+ ${name}: ${printable(after ?? '')}`);
  if (after === undefined) return paint('red', `- ${name}: ${printable(before)}`);
  return paint('yellow', `~ ${name}: ${printable(before)} -> ${printable(after)}`);
}

/** The changes from one policy to another, one line for each value. Cells of the table are values too. */
export function policyDiff(before: PolicyBody, after: PolicyBody, paint: Paint): readonly string[] {
  const [old, next] = [valuesOf(before), valuesOf(after)];
  const places = [...new Set([...old.keys(), ...next.keys()])].sort();
  return places
    .filter((place) => old.get(place) !== next.get(place))
    .map((place) => lineOf(place, old.get(place), next.get(place), paint));
}
