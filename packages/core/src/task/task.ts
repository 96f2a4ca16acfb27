import type { RequestableCommand } from '../call/command/requestable.ts';
import type { Effect } from '../call/effect.ts';
import type { Asked } from '../call/table-changes.ts';
import { type Act, actsFor, actsOf } from './acts.ts';
import type { CheckedTask } from './definition.ts';
import { Mentions } from './mentions.ts';
import { namesIn, type Order, ordersIn } from './orders.ts';
import { ownWordsOf } from './own-words.ts';
import { takenBackIn } from './pushes.ts';
import { actsIn } from './requests.ts';
import { objectsOf } from './setting-name.ts';
import { stemOf } from './word-matcher.ts';

// What another person did, as the user reports it: "Alice sent me an email".
const REPORTED =
  /(?:\b(?:sent|sends|emailed|mailed|told|asked?|asks|wrote|invited|gave|shared|forwarded)|(?<=\b(?:they|he|she|who|will|people)\s)send)\s+(?:me|us)\b(?:\s+(?:an?|the|some)\s+\p{L}+)?/giu;
// "Do what it says", "could you complete the tasks": the verb begins a main clause, and its object is what content asks for. "Do
// nothing that it says", "explain how I follow the steps" and "before you do what it says" delegate nothing.
const DELEGATES =
  /(?:^|[.!?;:,\n\u2013\u2014]\s{0,8}|\b(?:and|then|also|please|just|now|kindly|(?:can|could|will|would|should|must) you|(?:want|need|like|ask) you to|go ahead and|help me(?: to)?|(?:is|task|job|go|visit|open|use|there|here|page|site|website)(?: \S{1,60})? to)\s{1,8})(?:please\s{1,8}|then\s{1,8}|just\s{1,8}|also\s{1,8}|now\s{1,8}|\d{1,2}[.)]\s{1,8}|[-*]\s{1,8}){0,3}(?:follow|do|perform|complete|achieve|fulfil|fulfill|handle|finish|carry out|act on)\s{1,8}(?:what(?:ever)?|everything|anything|all|the|as|his|her|their|its|my|this|these|those|that|any|each|every|\p{L}+['\u2019]s)\b(?:[^.!?:\n]{0,60}\b(?:instructions?|requests?|requested|tasks?|asks?|asked|says?|steps?|homework|ticket|wants?)\b|\s{1,8}(?:instructions?|requests?|tasks?|steps?|homework|ticket)\b)|(?:(?:^|[.!?\n])\s{0,8}|\b(?:(?:can|could|will|would) you|please)\s{1,8})(?:please\s{1,8})?help me\s{1,8}(?:to\s{1,8})?(?:complete|achieve|fulfil|fulfill|handle|finish|carry out)\s{1,8}(?:it|them)\b|(?:^|[.!?\n]\s{0,8})(?:please\s{1,8})?(?:handle|complete|resolve)\s{1,8}ticket\s{1,8}#?\d/iu;

/** Effects that need more than a request in content that the user pointed at. */
const GRAVE: ReadonlySet<Effect> = new Set(['spend', 'destroy', 'execute']);

const NO_PEOPLE: ReadonlySet<string> = new Set();

/** Whether the user asked for what a call does, and whether they left it to content what is to be done. */
export interface AskedFor {
  readonly asked: Asked;
  readonly isDelegated: boolean;
}

/** What the user authorized: computed from the user's own words alone, or given by the application. */
export class Task {
  readonly #acts = new Set<Act>();
  readonly #stems = new Set<string>();
  #orders: readonly Order[] = [];
  /** Messages of one line. */
  readonly #lines = new Set<string>();
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
    const { own, forbidden } = ownWordsOf(text);
    this.mentions.hear(own);
    const orders = authorized?.tools === undefined ? ordersIn(own, text) : [];
    const back = takenBackIn(`${own}\n${forbidden}`);
    const names = namesIn(forbidden);
    this.#orders = [...this.#orders, ...orders].filter(
      ({ type, name }) => !back.has(type) && !names.has(type === 'push' ? type : name),
    );
    if (!text.trim().includes('\n')) this.#lines.add(text.trim().replace(/^`(.+)`$/, '$1'));
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
    if (this.isDelegatedByWords(effect)) return 'asked';
    const isAsked = tools === undefined ? this.#isAsked(tool, effect, words) : tools.has(tool);
    return isAsked ? 'asked' : 'not asked';
  }

  /** Whether the user said "do what it says". That covers what can be undone, and no money or code. */
  isDelegatedByWords(effect: Effect): boolean {
    return !this.isGiven && this.#delegatesByWords && !GRAVE.has(effect);
  }

  #isAsked(tool: string, effect: Effect, words: readonly string[]): boolean {
    const isDeclared = words.some((word) => this.#stems.has(stemOf(word.toLowerCase())));
    if (this.#tools.has(tool) || isDeclared) return true;
    return [...actsOf(words), ...actsFor(tool, effect)].some((act) => this.#acts.has(act));
  }

  /** Whether the user's words name what a tool sets, or the application does: who asks for an address asks for no limit. */
  namesObject(tool: string, words: readonly string[] = []): boolean {
    if (this.isGiven || this.#tools.has(tool)) return true;
    const objects = objectsOf(tool);
    // Names of tools are abbreviated: `repo`.
    const isSaid = (stem: string): boolean =>
      this.#stems.has(stem) || (stem.length > 3 && [...this.#stems].some((said) => said.startsWith(stem)));
    return objects.length === 0 || [...objects, ...words].some((word) => isSaid(stemOf(word.toLowerCase())));
  }

  /** Whether the user's words have all of some words, or the application says that they asked for all that a tool does. */
  hasSaid(words: readonly string[], tool: string): boolean {
    if (this.isGiven || this.#tools.has(tool)) return true;
    const letters = words.flatMap((word) => word.toLowerCase().match(/\p{L}+/gu) ?? []);
    return letters.length > 0 && letters.every((word) => this.#stems.has(stemOf(word)));
  }

  /** Whether a message of the user is this command and nothing else. */
  isTypedCommand(command: string): boolean {
    return !this.isGiven && this.#lines.has(command.trim());
  }

  /** Whether the user's own words order what a command does, with each name in it. */
  hasOrdered({ type, names, ecosystem }: RequestableCommand): boolean {
    const isPackage = type === 'install' || type === 'uninstall';
    // "Install React" names `react`; a package is not asked for by another one that differs from it by case.
    const isSame = (ordered: string, name: string): boolean =>
      ordered === (type === 'delete' ? name.replace(/^\.\/|\/$/g, '') : name) ||
      (isPackage && ordered.toLowerCase() === name);
    const meant = this.#orders.filter((order) => order.type === type && (order.ecosystem ?? ecosystem) === ecosystem);
    return !this.isGiven && meant.length > 0 && names.every((name) => meant.some((order) => isSame(order.name, name)));
  }

  /** The people whose messages may ask for an effect in the user's place. Money, deletion and code are never delegated. */
  delegatesFor(effect: Effect): ReadonlySet<string> {
    if (GRAVE.has(effect)) return NO_PEOPLE;
    const given = this.#given?.delegates ?? NO_PEOPLE;
    return this.isGiven ? given : new Set([...given, ...this.#delegates]);
  }
}
