import type { Verdict } from '../../api/types.ts';

/** The subject of a correction. */
export type Target =
  | {
      readonly type: 'span';
      readonly finding: string;
      readonly server: string;
      readonly tag: string;
      readonly likelihood: string;
      readonly text: string;
      readonly said: Verdict | undefined;
    }
  | {
      readonly type: 'call';
      readonly call: string;
      readonly name: string;
      readonly outcome: string;
      readonly said: Verdict | undefined;
    }
  | { readonly type: 'text'; readonly entry: string; readonly text: string };

/** The name of a target in one conversation. */
export function keyOf(target: Target): string {
  if (target.type === 'span') return `span ${target.finding}`;
  return target.type === 'call' ? `call ${target.call}` : `text ${target.entry}`;
}

/** A verdict in the words of people. */
export const WORDS: Readonly<Record<Verdict, string>> = { 'false-alarm': 'harmless', attack: 'attack' };
