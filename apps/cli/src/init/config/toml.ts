import { parseDocument } from '@decimalturn/toml-patch';
import {
  type Malformed,
  type Member,
  memberOf,
  type ReadConfiguration,
  type Span,
  type Tree,
  withoutMark,
} from './tree.ts';

interface Position {
  readonly line: number;
  readonly column: number;
}

interface Located {
  readonly loc: { readonly start: Position; readonly end: Position };
}

// The used part of the library's syntax tree: its own types need an enum that it does not export.
type Value = Located &
  (
    | { readonly type: 'String'; readonly value: string }
    | { readonly type: 'InlineArray'; readonly items: readonly { readonly item: Value | Comment }[] }
    | { readonly type: 'InlineTable'; readonly items: readonly { readonly item: Pair | Comment }[] }
    | { readonly type: 'Integer' | 'Float' | 'Boolean' | 'DateTime' }
  );
type Key = Located & { readonly value: readonly string[] };
type Pair = Located & { readonly type: 'KeyValue'; readonly key: Key; readonly value: Value };
type Comment = Located & { readonly type: 'Comment' };
type Section = Located & {
  readonly type: 'Table' | 'TableArray';
  readonly key: { readonly item: Key };
  readonly items: readonly (Pair | Comment)[];
};

type Growing = { type: 'table'; members: Member[]; start: number; end: number };
type Locate = (located: Located) => Span;

function locatorOf(text: string): Locate {
  const starts = [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)];
  const offsetOf = ({ line, column }: Position): number => (starts[line - 1] ?? text.length) + column;
  return ({ loc }) => ({ start: offsetOf(loc.start), end: offsetOf(loc.end) });
}

function newTable(span: Span): Growing {
  return { type: 'table', members: [], start: span.start, end: span.end };
}

/** The table at a path; missing tables are created. With `isNew`, the last step always creates a table. */
function tableAt(root: Growing, path: readonly string[], key: Span, isNew = false): Growing {
  let table = root;
  for (const [index, name] of path.entries()) {
    const found = isNew && index === path.length - 1 ? undefined : memberOf(table, name)?.value;
    const next = found?.type === 'table' ? (found as Growing) : newTable(key);
    if (next !== found) table.members.push({ name, key, value: next, separator: 'line' });
    table = next;
  }
  return table;
}

function addPair(table: Growing, pair: Pair, locate: Locate, separator: Member['separator']): void {
  const key = locate(pair.key);
  const name = pair.key.value.at(-1) ?? '';
  const holder = tableAt(table, pair.key.value.slice(0, -1), key);
  holder.members.push({ name, key, value: treeFrom(pair.value, locate), separator });
}

function treeFrom(value: Value, locate: Locate): Tree {
  const span = locate(value);
  switch (value.type) {
    case 'String':
      return { type: 'text', value: value.value, ...span };
    case 'InlineArray':
      return {
        type: 'list',
        items: value.items.flatMap(({ item }) => (item.type === 'Comment' ? [] : [treeFrom(item, locate)])),
        ...span,
      };
    case 'InlineTable': {
      const table = newTable(span);
      for (const { item } of value.items) if (item.type === 'KeyValue') addPair(table, item, locate, 'comma');
      return table;
    }
    default:
      return { type: 'other', ...span };
  }
}

/** The library's errors have a line, and a message whose last line is the reason. */
function malformedBy(error: unknown): Malformed {
  if (!(error instanceof Error)) throw error;
  const line = 'line' in error && typeof error.line === 'number' ? error.line : 1;
  return { type: 'malformed', line, reason: error.message.split('\n').at(-1) ?? error.message };
}

function parsed(text: string): readonly (Pair | Comment | Section)[] | Malformed {
  try {
    const document = parseDocument(text);
    // The library reports duplicate names only here.
    void document.toJsObject;
    return document.cst as unknown as readonly (Pair | Comment | Section)[];
  } catch (error) {
    return malformedBy(error);
  }
}

/** Reads TOML. Headers, dotted keys and inline tables all become the same kind of table. */
export function readToml(text: string): ReadConfiguration | Malformed {
  const plain = withoutMark(text);
  const blocks = parsed(plain);
  if ('type' in blocks) return blocks;
  const locate = locatorOf(plain);
  const root = newTable({ start: 0, end: plain.length });
  const comments: Span[] = [];
  const add = (table: Growing, item: Pair | Comment): void => {
    if (item.type === 'Comment') comments.push(locate(item));
    else addPair(table, item, locate, 'line');
  };
  for (const block of blocks) {
    if (block.type === 'KeyValue' || block.type === 'Comment') add(root, block);
    else {
      const { item: key } = block.key;
      const table = tableAt(root, key.value, locate(key), block.type === 'TableArray');
      for (const item of block.items) add(table, item);
    }
  }
  return { type: 'read', syntax: 'toml', root, comments };
}
