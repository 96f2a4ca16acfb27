import { type JsonNode, type JsonRange, type JsonText, readJson } from '../base/json-positions.ts';
import { pointerTo } from '../json/pointer.ts';
import { type Argument, isUnread } from '../provenance/trace-call.ts';

/** What a person reads in place of a secret. */
export const SECRET = '(secret)';

/** What a person reads in place of arguments that are too many to be read. */
const UNREAD = '"(too many values to show)"';

function secretsIn(given: readonly Argument[]): readonly Argument[] {
  return given.filter(({ role, isKey }) => role === 'secret' && !isKey);
}

/** The paths of the values that are secrets by their role. */
export function secretPaths(given: readonly Argument[]): ReadonlySet<string> {
  return new Set(secretsIn(given).map(({ path }) => path));
}

/** Where the secrets are in the text. No recursion: the author of a call chooses how deeply it nests. */
function rangesOf({ root }: JsonText, secrets: ReadonlySet<string>): readonly JsonRange[] {
  const ranges: JsonRange[] = [];
  const left: { readonly path: string; readonly node: JsonNode }[] = [{ path: '', node: root }];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { path, node } = next;
    if (secrets.has(path)) ranges.push(node);
    else
      for (const [index, { name, value }] of node.members.entries())
        left.push({ path: pointerTo(path, name ?? `${index}`), node: value });
  }
  return ranges.sort((one, other) => other.start - one.start);
}

/** The arguments of a call without its secrets. If not all values were read, which of them are secrets is unknown. */
export function hideSecrets(argumentsJson: string, given: readonly Argument[]): string {
  if (isUnread(given)) return UNREAD;
  const secrets = secretPaths(given);
  if (secrets.size === 0) return argumentsJson;
  return rangesOf(readJson(argumentsJson), secrets).reduce(
    (text, { start, end }) => `${text.slice(0, start)}"${SECRET}"${text.slice(end)}`,
    argumentsJson,
  );
}

interface Shown {
  readonly path: string;
  readonly value: string;
  readonly excerpt?: object;
}

/** Evidence without secrets. The text around a value may repeat one. */
export function hideEvidence<T extends Shown>(
  evidence: readonly T[],
  given: readonly Argument[],
): readonly (T | Omit<T, 'excerpt'>)[] {
  const secrets = secretsIn(given);
  const paths = secretPaths(given);
  return evidence.map((each) => {
    const isSecret = paths.has(each.path);
    const around = Object.values(each.excerpt ?? {}).join('');
    if (!isSecret && !secrets.some(({ text }) => text !== '' && around.includes(text))) return each;
    const { excerpt: _, ...rest } = each;
    return isSecret ? { ...rest, value: SECRET } : rest;
  });
}
