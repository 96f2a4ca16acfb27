import { findSecrets } from '../secrets/find.ts';
import { applyEdits } from './config/edit.ts';
import type { ReadConfiguration, Span, Tree } from './config/tree.ts';

/** Tables of which every value may be a secret. */
const HOLDERS: ReadonlySet<string> = new Set(['env', 'environment', 'headers', 'http_headers', 'env_vars']);

const NAMES = '(?:key|token|secret|passw|pwd|auth|bearer|header|credential|cookie)';
const SECRET_NAME = new RegExp(NAMES, 'i');
const SECRET_FLAG = new RegExp(`^-[^=]*${NAMES}[^=]*$`, 'i');
/** `--api-key=...`, `API_TOKEN=...`, `Authorization: ...`: the value is hidden. */
const SECRET_PAIR = new RegExp(`^["']-{0,2}[\\w.-]*${NAMES}[\\w.-]*[=:](?<hidden>.+)["']$`, 'dis');
/** The credentials and the path of a URL: each may be enough to get access. */
const IN_ADDRESS = [/:\/\/(?<hidden>[^/\s@]+)@/d, /:\/\/[^/\s]+\/(?<hidden>[^"'\s]+)/d];
/** A flag and its value inside a command line. */
const IN_LINE = new RegExp(`-[\\w-]*${NAMES}[\\w-]*(?:=|\\s+)(?<hidden>[^\\s"']+)`, 'di');
/** Values in settings that are commented out. */
const IN_COMMENT = /[:=]\s*["'](?<hidden>[^"'\n]*)["']|\b[A-Z][A-Z0-9_]{2,}=(?<bare>\S+)/dg;

function inside({ start, end, type }: Tree): Span {
  return type === 'text' ? { start: start + 1, end: end - 1 } : { start, end };
}

/** The strings of a tree; with `all`, its numbers and booleans too. */
function leavesOf(tree: Tree, all: boolean): readonly Span[] {
  switch (tree.type) {
    case 'table':
      return tree.members.flatMap(({ value }) => leavesOf(value, all));
    case 'list':
      return tree.items.flatMap((item) => leavesOf(item, all));
    case 'text':
      return [inside(tree)];
    case 'other':
      return all ? [inside(tree)] : [];
  }
}

function shifted([start, end]: readonly [number, number], by: number): Span {
  return { start: start + by, end: end + by };
}

function inArgument(text: string, item: Tree, before: Tree | undefined): readonly Span[] {
  if (item.type !== 'text') return [];
  if (before?.type === 'text' && SECRET_FLAG.test(before.value)) return [inside(item)];
  const written = text.slice(item.start, item.end);
  const spansOf = (pattern: RegExp): readonly Span[] => {
    const found = pattern.exec(written)?.indices?.groups?.hidden;
    return found ? [shifted(found, item.start)] : [];
  };
  const pair = spansOf(SECRET_PAIR);
  return pair.length > 0 ? pair : [...IN_ADDRESS, IN_LINE].flatMap(spansOf);
}

/** What is hidden in a text: the value of a flag, the credentials of an address, and secrets that are known by their form. */
function inText(text: string, item: Tree, before?: Tree): readonly Span[] {
  const found = inArgument(text, item, before);
  if (item.type !== 'text' || found.length > 0) return found;
  return findSecrets(text.slice(item.start, item.end)).map(({ start, end }) => shifted([start, end], item.start));
}

function hiddenIn(text: string, tree: Tree, shown: ReadonlySet<Tree>): readonly Span[] {
  if (shown.has(tree)) return [];
  if (tree.type === 'list')
    return tree.items.flatMap((item, index) =>
      item.type === 'text' ? inText(text, item, tree.items[index - 1]) : hiddenIn(text, item, shown),
    );
  if (tree.type !== 'table') return inText(text, tree);
  return tree.members.flatMap(({ name, value }) => {
    if (shown.has(value)) return [];
    const isHidden = HOLDERS.has(name) || (SECRET_NAME.test(name) && value.type !== 'table');
    return isHidden ? leavesOf(value, true) : hiddenIn(text, value, shown);
  });
}

function inComment(text: string, { start, end }: Span): readonly Span[] {
  return Array.from(text.slice(start, end).matchAll(IN_COMMENT), ({ indices }) => {
    const { hidden, bare } = indices?.groups ?? {};
    return shifted(hidden ?? bare ?? [0, 0], start);
  });
}

/**
 * The text with its secrets masked. The number of lines stays the same, so that line numbers of a diff apply to it. `shown` is what
 * `init` wrote itself.
 */
export function maskSecrets(text: string, read: ReadConfiguration, shown: readonly Tree[] = []): string {
  const hidden = [
    ...hiddenIn(text, read.root, new Set(shown)),
    ...read.comments.flatMap((comment) => inComment(text, comment)),
  ];
  const edits = hidden
    .filter(({ start, end }) => end > start)
    .map(({ start, end }) => ({ start, end, text: `***${text.slice(start, end).replaceAll(/[^\n]/g, '')}` }));
  return applyEdits(text, edits);
}
