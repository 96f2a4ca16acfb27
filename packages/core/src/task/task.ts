import type { Effect } from '../call/effect.ts';
import type { Asked } from '../call/table-changes.ts';
import { type Act, actsFor, actsOf } from './acts.ts';
import type { CheckedTask } from './definition.ts';
import { Mentions } from './mentions.ts';
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

const NO_PEOPLE: ReadonlySet<string> = new Set();

/** What the user authorized: computed from the user's own words alone, or given by the application. */
export class Task {
  readonly #acts = new Set<Act>();
  readonly #stems = new Set<string>();
  /** What the user named. */
  readonly mentions: Mentions = new Mentions();
  readonly #tools = new Set<string>();
  readonly #delegates = new Set<string>();
  // What `authorize` says about a message, by the digest of the message.
  readonly #authorized = new Map<string, CheckedTask>();
  #given: CheckedTask | undefined;
  #isHeard = false;
  #delegatesByWords = false;

  /** Whether the application says what was asked for, so that the user's words do not. */
  get isGiven(): boolean {
    return this.#given?.tools !== undefined;
  }

  /** Takes in what `authorize` says about a message that will be heard. */
  authorize(digest: string, task: CheckedTask): void {
    this.#authorized.set(digest, task);
  }

  /**
   * Takes in what the user said. What they quote, ask about or forbid does not count. Where `authorize` says which tools a message
   * asks for, the built-in words do not.
   */
  hear(text: string, digest = ''): void {
    this.#isHeard = true;
    const authorized = this.#authorized.get(digest);
    const { own } = ownWordsOf(text);
    this.mentions.hear(own);
    for (const tool of authorized?.tools ?? []) this.#tools.add(tool);
    for (const address of authorized?.delegates ?? []) this.#delegates.add(address);
    if (authorized !== undefined) this.#name(authorized);
    if (authorized?.tools === undefined) this.#hearWords(own);
  }

  #hearWords(own: string): void {
    const asked = own.replace(REPORTED, ' ');
    for (const act of actsIn(asked)) this.#acts.add(act);
    for (const word of asked.toLowerCase().match(/\p{L}+/gu) ?? []) this.#stems.add(stemOf(word));
    if (DELEGATES.test(own)) this.#delegatesByWords = true;
  }

  /** Takes in what the application says. It replaces what the application said before, except for people and values: what was typed stays typed. */
  give(task: CheckedTask): void {
    this.#given = task;
    this.#name(task);
  }

  #name({ people, delegates, values }: CheckedTask): void {
    this.mentions.add([...people, ...delegates], values);
  }

  /** Whether the user asked for what a tool does. Delegation by words covers what can be undone, and no money or code. */
  asks(tool: string, effect: Effect, words: readonly string[] = []): Asked {
    const tools = this.#given?.tools;
    if (tools === undefined && !this.#isHeard) return 'unheard';
    if (tools === undefined && this.#delegatesByWords && !GRAVE.has(effect)) return 'asked';
    const isAsked = tools === undefined ? this.#isAsked(tool, effect, words) : tools.has(tool);
    return isAsked ? 'asked' : 'not asked';
  }

  #isAsked(tool: string, effect: Effect, words: readonly string[]): boolean {
    const isDeclared = words.some((word) => this.#stems.has(stemOf(word.toLowerCase())));
    if (this.#tools.has(tool) || isDeclared) return true;
    return [...actsOf(words), ...actsFor(tool, effect)].some((act) => this.#acts.has(act));
  }

  /** The people whose messages may ask for an effect in the user's place. Money, deletion and code are never delegated. */
  delegatesFor(effect: Effect): ReadonlySet<string> {
    if (GRAVE.has(effect)) return NO_PEOPLE;
    const given = this.#given?.delegates ?? NO_PEOPLE;
    return this.isGiven ? given : new Set([...given, ...this.#delegates]);
  }
}
