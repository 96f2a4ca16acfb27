import type { Verdict } from '../../../api/types.ts';

export type Origin = 'system' | 'user' | 'external' | 'memory' | 'model';
type Likelihood = 'low' | 'medium' | 'high';

/** A marked part of a text. Offsets are UTF-16. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly tag: string;
  readonly likelihood: Likelihood;
  /** The id by which the gateway knows it. Absent: nothing can be said of it. */
  readonly finding?: string;
  /** The person's own verdict. */
  readonly said?: Verdict;
}

/** Where the words of a value are. */
export interface Place {
  readonly entry: string;
  readonly start: number;
  readonly end: number;
}

export interface TextEntry {
  readonly type: 'text';
  readonly id: string;
  /** Absent if that is not known. */
  readonly at?: string;
  readonly origin: Origin;
  /** The server and tool that it comes from. */
  readonly name?: string;
  readonly text: string;
  /** Short values without a frame. They are shown small. */
  readonly isUnframed?: true;
  readonly spans: readonly Span[];
}

export interface CallValue {
  readonly path: string;
  readonly value: string;
  readonly trust: string;
  readonly place?: Place;
}

export interface CallEntry {
  readonly type: 'call';
  readonly id: string;
  /** Absent if that is not known. */
  readonly at?: string;
  readonly server: string;
  readonly tool: string;
  readonly effect?: string;
  /** JSON. */
  readonly arguments: string;
  /** Set if the call was made. Absent if that is not known. */
  readonly wasMade?: boolean;
  readonly outcome: 'allow' | 'ask' | 'deny';
  readonly rule: string;
  readonly cell?: string;
  readonly reason: string;
  readonly values: readonly CallValue[];
  /** The person's own verdict. */
  readonly said?: Verdict;
  /** The decision of another policy. */
  readonly proposed?: { readonly outcome: string; readonly rule: string; readonly cell?: string };
}

interface EndEntry {
  readonly type: 'end';
  readonly entries: number;
  readonly isCut: boolean;
}

export type Entry = TextEntry | CallEntry | EndEntry;

/** An entry that is shown as a row. */
export type RowEntry = TextEntry | CallEntry;

const escaped = (text: string): string => text.replace(/[\s%]/g, (character) => encodeURIComponent(character));

/** The name of a value in the page, which no other value has. */
export function valueKey(call: string, path: string): string {
  return `${escaped(call)} ${escaped(path)}`;
}
