import type { Outcome } from '@sallyport/core';
import type { CallEntry, Played } from './play.ts';
import type { Format } from './read/format.ts';

/** What would have become of a conversation: the worst of its calls, or whether anything in it was marked, or not understood. */
export const TOUCHES = ['denied', 'asked', 'marked', 'unclear', 'untouched'] as const;

export type Touch = (typeof TOUCHES)[number];

export function callsIn({ entries }: Played): readonly CallEntry[] {
  return entries.filter((entry): entry is CallEntry => entry.type === 'call');
}

/** How much of a conversation could not be read. */
export function unclearIn({ entries }: Played): number {
  return entries.filter(({ type }) => type === 'unclear').length;
}

export function touchOf(played: Played): Touch {
  const outcomes = new Set<Outcome>(callsIn(played).map(({ decision }) => decision.judged));
  if (outcomes.has('deny')) return 'denied';
  if (outcomes.has('ask')) return 'asked';
  if (played.entries.some((entry) => entry.type === 'read' && entry.spans.length > 0)) return 'marked';
  return unclearIn(played) > 0 ? 'unclear' : 'untouched';
}

function add(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

const MAX_PLACES = 5;

/** Counts over all conversations. It grows with the number of tools and rules, not with that of conversations. */
export class Tally {
  readonly touches: Map<string, number> = new Map(TOUCHES.map((touch) => [touch, 0]));
  readonly formats: Map<string, number> = new Map();
  readonly rules: Map<string, number> = new Map();
  readonly held: Map<string, number> = new Map();
  conversations = 0;
  calls = 0;
  effects = 0;
  /** Things that were not understood, in how many conversations. */
  unclear = 0;
  unclearConversations = 0;
  unreadable = 0;
  /** The first places at which nothing could be read. */
  readonly unreadableAt: string[] = [];
  /** Conversations that look like another format than somebody said. */
  mismatched = 0;

  refuse(place: string): void {
    this.unreadable++;
    if (this.unreadableAt.length < MAX_PLACES) this.unreadableAt.push(place);
  }

  count(played: Played, touch: Touch, format: Format): void {
    const unclear = unclearIn(played);
    this.unclear += unclear;
    if (unclear > 0) this.unclearConversations++;
    this.conversations++;
    add(this.touches, touch);
    add(this.formats, format);
    for (const { effect, decision } of callsIn(played)) {
      this.calls++;
      if (effect !== 'read') this.effects++;
      if (decision.judged === 'allow') continue;
      add(this.rules, decision.rule);
      add(this.held, decision.call.tool);
    }
  }
}
