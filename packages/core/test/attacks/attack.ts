// The types of the attacks in this folder, which ../attacks.test.ts runs.
import type { EventDetails } from '../../src/event.ts';
import type { ClassifierV1, Content, LimitOptions, Origin } from '../../src/index.ts';

/** The tools of the attacked conversation. */
type Carrier = 'fetch' | 'drive' | 'search' | 'clock' | 'bare' | 'never_declared' | undefined;

/** The result of a tool. */
export interface Result {
  /** The content, or a function that makes it from the request before, which the attacker has read. */
  readonly content: Content | ((earlier: string) => Content);
  /** @default 'attack' */
  readonly id?: string;
  readonly tool: Carrier;
  readonly limits?: LimitOptions;
  /** @default a classifier that finds nothing */
  readonly classifier?: ClassifierV1;
  readonly sections?: readonly string[];
}

/** The complete frame, its origin and the events. */
export interface Shown {
  /** Codes are numbered by their first occurrence: `{1}` is that of the frame itself. */
  readonly text: string;
  readonly tier: Origin;
  readonly events: readonly EventDetails[];
}

export interface ResultAttack {
  readonly title: string;
  /** The weakness that it exploits elsewhere. */
  readonly weakness: string;
  readonly payload: Result;
  readonly expected: Shown;
}

/** The frame of external content with this body. */
export function outside(body: string, attributes = ' from=fetch', ending = ''): string {
  return `<untrusted {1}${attributes}>${body}</untrusted {1}${ending}>`;
}

export function escaped(count: number, recordId = 'attack'): EventDetails {
  return { type: 'markers-escaped', recordId, count };
}
