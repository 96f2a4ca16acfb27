import { SECRET_KINDS, type SecretKind } from './kinds.ts';

/** A secret in a text. */
export interface FoundSecret {
  /** The kind of secret, such as "GitHub token". */
  readonly kind: string;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

function escaped(text: string): string {
  return text.replace(/[-.^${}()|[\]\\/]/g, '\\$&');
}

const OF_MARKER: ReadonlyMap<string, SecretKind> = new Map(
  SECRET_KINDS.flatMap((kind) => kind.markers.map((marker) => [marker, kind] as const)),
);
const LAST = new Set([...OF_MARKER.keys()].map((marker) => marker.at(-1) as string));
// By the last character, which is rare in prose: an engine skips all other characters at once.
const MARKER = new RegExp(
  `[${[...LAST].map(escaped).join('')}](?<=(${[...OF_MARKER.keys()].map(escaped).join('|')}))`,
  'g',
);

/** Words and signs with which people write that a value is not the real one. */
const PLACEHOLDER =
  /example|placeholder|your|sample|dummy|redacted|removed|change.?me|xxxx|0000|\*\*\*|abcdef|1234|7890|passw|secret|hunter2|foobar|^\$|\$[{(]|[<>[\]]|%s|%\w+%|\.\.\./i;
const MAX_PLACEHOLDER = 300;
const MIN_DIFFERENT = 8;

/** Recognizes a random value. Examples in documents repeat characters, count up, or say what they are. */
function isRandom(value: string): boolean {
  const isMixed = /\d/.test(value) || (/[a-z]/.test(value) && /[A-Z]/.test(value));
  const isPlaceholder = value.length < MAX_PLACEHOLDER && PLACEHOLDER.test(value);
  return isMixed && !isPlaceholder && new Set(value).size >= MIN_DIFFERENT;
}

function* ofKind(text: string, { name, pattern, shortest }: SecretKind): Generator<FoundSecret> {
  for (const { index, indices } of text.matchAll(pattern)) {
    const [start, end] = indices?.[1] ?? indices?.[0] ?? [0, 0];
    const value = text.slice(start, end);
    shortest.lastIndex = index;
    const needed = shortest.exec(text);
    if (isRandom(needed?.[1] ?? needed?.[0] ?? value)) yield { kind: name, text: value, start, end };
  }
}

/** The secrets in a text, in order. None overlaps another. */
export function findSecrets(text: string): readonly FoundSecret[] {
  const kinds = new Set<SecretKind>();
  for (const [, marker = ''] of text.matchAll(MARKER)) kinds.add(OF_MARKER.get(marker) as SecretKind);
  if (kinds.size === 0) return [];
  const all = SECRET_KINDS.filter((kind) => kinds.has(kind)).flatMap((kind) => [...ofKind(text, kind)]);
  const found: FoundSecret[] = [];
  for (const each of all.sort((one, other) => one.start - other.start)) {
    const last = found.at(-1);
    if (last === undefined || each.start >= last.end) found.push(each);
    else if (each.end > last.end) found[found.length - 1] = joined(text, last, each.end);
  }
  return found;
}

function joined(text: string, { kind, start }: FoundSecret, end: number): FoundSecret {
  return { kind, start, end, text: text.slice(start, end) };
}
