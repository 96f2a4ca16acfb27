import type { Effect } from '../call/effect.ts';
import type { Asked } from '../call/table-changes.ts';
import { type Act, actsFor } from './acts.ts';
import { ownWordsOf } from './own-words.ts';
import { actsIn } from './requests.ts';
import { stemOf } from './word-matcher.ts';

// What another person did, as the user reports it: "Alice sent me an email".
const REPORTED =
  /(?:\b(?:sent|sends|emailed|mailed|told|asked?|asks|wrote|invited|gave|shared|forwarded)|(?<=\b(?:they|he|she|who|will|people)\s)send)\s+(?:me|us)\b(?:\s+(?:an?|the|some)\s+\p{L}+)?/giu;
// "Do what it says", "complete the tasks", "could you complete them".
const DELEGATES =
  /\b(?:complete|achieve|fulfil|fulfill|handle|finish)\s+(?:it|them)\b|\b(?:follow|do|complete|achieve|fulfil|fulfill|handle|finish|carry out|act on)\b(?:[^.!?\n]{0,60}\b(?:instructions?|requests?|requested|tasks?|asks?|asked|says?|steps?|homework|ticket|wants?)\b)/iu;

/** Effects that need more than a request in content that the user pointed at. */
const GRAVE: ReadonlySet<Effect> = new Set(['spend', 'destroy', 'execute']);

/** What the user authorized: computed from the user's own words alone. */
export class Task {
  readonly #acts = new Set<Act>();
  readonly #stems = new Set<string>();
  #isHeard = false;
  #delegates = false;

  /** Takes in what the user said. What they quote, ask about or forbid does not count. */
  hear(text: string): void {
    this.#isHeard = true;
    const { own } = ownWordsOf(text);
    const asked = own.replace(REPORTED, ' ');
    for (const act of actsIn(asked)) this.#acts.add(act);
    for (const word of asked.toLowerCase().match(/\p{L}+/gu) ?? []) this.#stems.add(stemOf(word));
    if (DELEGATES.test(own)) this.#delegates = true;
  }

  /** Whether the user asked for what a tool does. Delegation covers what can be undone, and no money or code. */
  asks(tool: string, effect: Effect, words: readonly string[] = []): Asked {
    if (!this.#isHeard) return 'unheard';
    if (this.#delegates && !GRAVE.has(effect)) return 'asked';
    const isDeclared = words.some((word) => this.#stems.has(stemOf(word.toLowerCase())));
    return isDeclared || [...actsFor(tool, effect)].some((act) => this.#acts.has(act)) ? 'asked' : 'not asked';
  }
}
