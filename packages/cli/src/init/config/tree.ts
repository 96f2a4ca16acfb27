/** A stretch of a text, in offsets. */
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

/** A configuration, JSON and TOML alike, with the place in the text of all that may have to be changed. */
export type Tree = TextNode | ListNode | TableNode | (Span & { readonly type: 'other' });

export interface Member {
  readonly name: string;
  /** The key as it is written: in TOML, `servers.files.command` may be one key. */
  readonly key: Span;
  readonly value: Tree;
  /** What parts it from the next: a line of its own in TOML, a comma everywhere else. */
  readonly parted: 'comma' | 'line';
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

/** The member that counts. A table may hold a name twice in JSON, and every reader of it takes the last. */
export function memberOf(tree: Tree | undefined, name: string): Member | undefined {
  return tree?.type === 'table' ? tree.members.findLast((member) => member.name === name) : undefined;
}

export function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

/**
 * The text without its byte order mark, which editors on Windows write and parsers refuse. A blank takes its place, so that
 * offsets stay what they are.
 */
export function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, ' ');
}
