import type { Outcome } from '@sallyport/core';
import type { CallEntry, Played } from './play.ts';
import type { Format } from './read/format.ts';

/** The result of a conversation: the strictest decision on its calls, or whether anything in it was marked or not understood. */
export const IMPACTS = ['denied', 'asked', 'marked', 'unclear', 'untouched'] as const;

export type Impact = (typeof IMPACTS)[number];

export function callsIn({ entries }: Played): readonly CallEntry[] {
  return entries.filter((entry): entry is CallEntry => entry.type === 'call');
}

/** The number of items in a conversation that were not understood. */
export function unclearIn({ entries }: Played): number {
  return entries.filter(({ type }) => type === 'unclear').length;
}

export function impactOf(played: Played): Impact {
  const outcomes = new Set<Outcome>(callsIn(played).map(({ decision }) => decision.judged));
  if (outcomes.has('deny')) return 'denied';
  if (outcomes.has('ask')) return 'asked';
  if (played.entries.some((entry) => entry.type === 'read' && entry.spans.length > 0)) return 'marked';
  return unclearIn(played) > 0 ? 'unclear' : 'untouched';
}

function add(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

const MAX_POSITIONS = 5;

/** Counts over all conversations. Its size depends on the number of tools and rules, not of conversations. */
export class Tally {
  readonly impacts: Map<string, number> = new Map(IMPACTS.map((impact) => [impact, 0]));
  readonly formats: Map<string, number> = new Map();
  readonly rules: Map<string, number> = new Map();
  readonly held: Map<string, number> = new Map();
  conversations = 0;
  calls = 0;
  effects = 0;
  /** Calls that a person would have been asked about. */
  questions = 0;
  /** Calls that would have been denied. */
  denials = 0;
  /** Items that were not understood. */
  unclear = 0;
  /** Conversations with such items. */
  unclearConversations = 0;
  unreadable = 0;
  /** The positions of the first unreadable entries. */
  readonly unreadableAt: string[] = [];
  /** Conversations that look like a format other than the one given. */
  mismatched = 0;

  /** What a person would have noticed, in the unit in which everyday use is measured. */
  get perHundredCalls(): string {
    const of = (count: number): string => ((count / Math.max(1, this.calls)) * 100).toFixed(1);
    return `${of(this.questions)} questions and ${of(this.denials)} denials per 100 calls`;
  }

  countUnreadable(position: string): void {
    this.unreadable++;
    if (this.unreadableAt.length < MAX_POSITIONS) this.unreadableAt.push(position);
  }

  count(played: Played, impact: Impact, format: Format): void {
    const unclear = unclearIn(played);
    this.unclear += unclear;
    if (unclear > 0) this.unclearConversations++;
    this.conversations++;
    add(this.impacts, impact);
    add(this.formats, format);
    for (const { effect, decision } of callsIn(played)) {
      this.calls++;
      if (effect !== 'read') this.effects++;
      if (decision.judged === 'allow') continue;
      if (decision.judged === 'ask') this.questions++;
      else this.denials++;
      add(this.rules, decision.rule);
      add(this.held, decision.call.tool);
    }
  }
}
