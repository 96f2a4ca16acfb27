import { type Node, type ParseError, type ParseErrorCode, parseTree, printParseErrorCode, visit } from 'jsonc-parser';
import {
  lineOf,
  type Malformed,
  type Member,
  type ReadConfiguration,
  type Span,
  type Tree,
  withoutMark,
} from './tree.ts';

function spanOf({ offset, length }: Node): Span {
  return { start: offset, end: offset + length };
}

function memberFrom(property: Node): readonly Member[] {
  const [key, value] = property.children ?? [];
  if (!key || !value) return [];
  return [{ name: String(key.value), key: spanOf(key), value: treeFrom(value), separator: 'comma' }];
}

function treeFrom(node: Node): Tree {
  const span = spanOf(node);
  switch (node.type) {
    case 'string':
      return { type: 'text', value: String(node.value), ...span };
    case 'array':
      return { type: 'list', items: (node.children ?? []).map(treeFrom), ...span };
    case 'object':
      return { type: 'table', members: (node.children ?? []).flatMap(memberFrom), ...span };
    default:
      return { type: 'other', ...span };
  }
}

/** `CommaExpected` becomes "comma expected". */
function reasonOf(code: ParseErrorCode): string {
  return printParseErrorCode(code)
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase();
}

/** Reads JSON, with the comments and trailing commas that VS Code and Cursor allow. An empty file is an empty table. */
export function readJson(text: string): ReadConfiguration | Malformed {
  const plain = withoutMark(text);
  const errors: ParseError[] = [];
  const root = parseTree(plain, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const [error] = errors;
  if (error) return { type: 'malformed', line: lineOf(plain, error.offset), reason: reasonOf(error.error) };
  const comments: Span[] = [];
  visit(plain, { onComment: (start, length) => comments.push({ start, end: start + length }) });
  return {
    type: 'read',
    syntax: 'json',
    root: root ? treeFrom(root) : { type: 'table', members: [], start: 0, end: 0 },
    comments,
  };
}
