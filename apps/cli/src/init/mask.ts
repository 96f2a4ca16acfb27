import { applyEdits } from './config/edit.ts';
import type { Server } from './config/servers.ts';
import type { ReadConfiguration, Span, Tree } from './config/tree.ts';

/** The settings of a server that the diff shows. All other values are shown as stars: any of them may be a secret. */
const SHOWN: readonly string[] = ['command', 'args', 'type', 'cwd'];

const NAMES = '(?:key|token|secret|passw|pwd|auth|bearer|header|credential|cookie)';
const SECRET_FLAG = new RegExp(`^-[^=]*${NAMES}[^=]*$`, 'i');
/** `--api-key=...`, `API_TOKEN=...`, `Authorization: ...`: the value is hidden. */
const SECRET_PAIR = new RegExp(`^["']-{0,2}[\\w.-]*${NAMES}[\\w.-]*[=:](?<hidden>.+)["']$`, 'dis');
/** The credentials and the path of a URL: each may be enough to get access. */
const IN_ADDRESS = [/:\/\/(?<hidden>[^/\s@]+)@/d, /:\/\/[^/\s]+\/(?<hidden>[^"'\s]+)/d];
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
  return pair.length > 0 ? pair : IN_ADDRESS.flatMap(spansOf);
}

function inServer(text: string, table: Tree): readonly Span[] {
  if (table.type !== 'table') return leavesOf(table, true);
  return table.members.flatMap(({ name, value }) => {
    if (!SHOWN.includes(name)) return leavesOf(value, value.type === 'table' || value.type === 'list');
    if (value.type === 'list')
      return value.items.flatMap((item, index) => inArgument(text, item, value.items[index - 1]));
    return value.type === 'table' ? leavesOf(value, true) : inArgument(text, value, undefined);
  });
}

function outside(text: string, tree: Tree, servers: ReadonlySet<Tree>, shown: ReadonlySet<Tree>): readonly Span[] {
  if (shown.has(tree)) return [];
  if (servers.has(tree)) return inServer(text, tree);
  if (tree.type === 'table') return tree.members.flatMap(({ value }) => outside(text, value, servers, shown));
  if (tree.type === 'list') return tree.items.flatMap((item) => outside(text, item, servers, shown));
  return leavesOf(tree, false);
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
export function maskSecrets(
  text: string,
  read: ReadConfiguration,
  servers: readonly Server[],
  shown: readonly Tree[] = [],
): string {
  const tables = new Set(servers.map(({ table }) => table));
  const own = new Set(shown);
  const hidden = [
    ...outside(text, read.root, tables, own),
    ...read.comments.flatMap((comment) => inComment(text, comment)),
  ];
  const edits = hidden
    .filter(({ start, end }) => end > start)
    .map(({ start, end }) => ({ start, end, text: `***${text.slice(start, end).replaceAll(/[^\n]/g, '')}` }));
  return applyEdits(text, edits);
}
