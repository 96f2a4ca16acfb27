import type { Effect } from '../call/effect.ts';
import { stemOf, wordsFor } from './acts.ts';

/** Whether the user asked for an act; `unheard` if the boundary does not hear the user. */
export type Asked = 'asked' | 'not asked' | 'unheard';

// What another person did, as the user reports it: "Alice sent me an email".
const REPORTED =
  /\b(?:(?:has|have|had|just)\s+)*(?:sent|send|sends|emailed|mailed|told|asked?|asks|wrote|invited|gave|shared|forwarded)\s+(?:me|us)\b(?:\s+(?:an?|the|some)\s+\p{L}+)?/giu;
const QUOTED = /^\s*>.*$/gmu;
// "Do what it says", "complete the tasks", "could you complete them".
const DELEGATES =
  /\b(?:follow|do|complete|achieve|fulfil|fulfill|handle|finish|carry out|act on)\b(?:\s+(?:it|that|them|this)\b|[^.!?\n]{0,60}\b(?:instructions?|requests?|requested|tasks?|asks?|asked|says?|steps?|homework|ticket|wants?)\b)/iu;

/** Effects that need more than a request in content that the user pointed at. */
const GRAVE: ReadonlySet<Effect> = new Set(['spend', 'destroy', 'execute']);

/** What the user authorized: computed from the user's own words alone. */
export class Task {
  readonly #stems = new Set<string>();
  #isHeard = false;
  #delegates = false;

  /** Takes in what the user said. */
  hear(text: string): void {
    this.#isHeard = true;
    const own = text.replace(QUOTED, ' ').replace(REPORTED, ' ');
    for (const word of own.toLowerCase().match(/\p{L}+/gu) ?? []) this.#stems.add(stemOf(word));
    if (DELEGATES.test(text)) this.#delegates = true;
  }

  /** Whether the user asked for what a tool does. Delegation covers what can be undone, and no money, settings or code. */
  asks(tool: string, effect: Effect, words: readonly string[] = []): Asked {
    if (!this.#isHeard) return 'unheard';
    if (this.#delegates && !GRAVE.has(effect)) return 'asked';
    const declared = words.map((word) => stemOf(word.toLowerCase()));
    return [...wordsFor(tool, effect), ...declared].some((word) => this.#stems.has(word)) ? 'asked' : 'not asked';
  }
}
