/** A range of a text, in offsets. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface TextNode extends Span {
  readonly type: 'text';
  readonly value: string;
}

export interface ListNode extends Span {
  readonly type: 'list';
  readonly items: readonly Tree[];
}

export interface TableNode extends Span {
  readonly type: 'table';
  readonly members: readonly Member[];
}

/** A configuration, from JSON or TOML, with the position of each value in the text. */
export type Tree = TextNode | ListNode | TableNode | (Span & { readonly type: 'other' });

export interface Member {
  readonly name: string;
  /** The whole key: in TOML, `servers.files.command` may be one key. */
  readonly key: Span;
  readonly value: Tree;
  /** The separator before the next member: a line break in TOML tables, a comma everywhere else. */
  readonly separator: 'comma' | 'line';
}

export type Syntax = 'json' | 'toml';

export interface ReadConfiguration {
  readonly type: 'read';
  readonly syntax: Syntax;
  readonly root: Tree;
  readonly comments: readonly Span[];
}

export interface Malformed {
  readonly type: 'malformed';
  readonly line: number;
  readonly reason: string;
}

/** The effective member with a name. JSON allows a name twice, and parsers use the last. */
export function memberOf(tree: Tree | undefined, name: string): Member | undefined {
  return tree?.type === 'table' ? tree.members.findLast((member) => member.name === name) : undefined;
}

export function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

/**
 * The text without its byte order mark, which editors on Windows write and parsers reject. A blank replaces it, so that offsets
 * stay the same.
 */
export function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, ' ');
}
