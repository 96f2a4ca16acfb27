import { canonicalJson, digestText } from '@sallyport/core/adapter';
import { viewOf } from '@sallyport/decode';

/** A tool as a server defines it. */
export type Definition = Readonly<Record<string, unknown>>;

/** The definitions of a server as they were first seen, or as a person accepted them later. */
export interface Pins {
  readonly tools: Readonly<Record<string, Definition>>;
  /** The server's instructions. @default undefined: not seen yet */
  readonly instructions?: string | undefined;
  /** The definitions that are shown unframed: from tool name to `definitionDigest()`. @default {} */
  readonly accepted?: Readonly<Record<string, string>> | undefined;
}

/** A definition that waits for a person. The client does not see it until then, unless it is only flagged. */
export type Held =
  | { readonly type: 'changed'; readonly tool: string; readonly before: Definition; readonly after: Definition }
  /** Its name can be mistaken for the name of another tool. */
  | { readonly type: 'confusable'; readonly tool: string; readonly with: string; readonly after: Definition }
  /** Another server has a tool of that name. */
  | { readonly type: 'shadowed'; readonly tool: string; readonly server: string; readonly after: Definition }
  /** It cannot be shown: its name, or the name of an argument, contains prose. */
  | { readonly type: 'unreadable'; readonly tool: string; readonly reason: string }
  /** Its prose may address the model, or was not checked. The client sees it in frames, and may call it. */
  | { readonly type: 'flagged'; readonly tool: string; readonly after: Definition }
  | { readonly type: 'instructions'; readonly before: string; readonly after: string };

/** The listing that a server has just sent. */
export type Listed =
  | { readonly type: 'instructions' }
  /** `isWhole`: these are all tools of the server, and not one of several pages. */
  | { readonly type: 'tools'; readonly names: readonly string[]; readonly isWhole: boolean };

/** Stores pins. A proxy reads it each time, because a person may accept a definition at any moment. */
export interface PinStore {
  load(): PromiseLike<Pins | undefined> | Pins | undefined;
  /** Adds definitions that were seen for the first time. Must not replace existing ones, except in `accepted`. */
  add(pins: Pins): PromiseLike<void> | void;
  /**
   * Stores definitions that wait for a person, in place of those that waited under the same names. Called for each
   * listing and for the instructions, with an empty list if no definition is held: a `listed` tool that is not held is
   * offered as pinned.
   */
  hold(held: readonly Held[], listed?: Listed): PromiseLike<void> | void;
  /**
   * True if calls of a tool wait for a person; false also for a tool that is only flagged. 'rejected' if a person has
   * rejected the definition that the server offers.
   */
  waits(tool: string): PromiseLike<boolean | 'rejected'> | boolean | 'rejected';
  /** The tools of other servers: a map from tool name to server. */
  others(): PromiseLike<ReadonlyMap<string, string>> | ReadonlyMap<string, string>;
}

/** The form in which definitions are compared: all members, in one order. Hosts act on `_meta` too. */
export function comparableForm(definition: Definition): string {
  return canonicalJson(definition);
}

/**
 * Identifies a definition among those that are accepted.
 *
 * @example
 * ```ts
 * const accepted = { ...pins.accepted, [held.tool]: definitionDigest(held.after) };
 * ```
 */
export function definitionDigest(definition: Definition): string {
  return digestText(comparableForm(definition));
}

/** Groups of ASCII letters and digits that look alike. Look-alikes from other scripts are folded by core. */
const LOOKALIKES: readonly (readonly [RegExp, string])[] = [
  [/[1i|]/g, 'l'],
  [/0/g, 'o'],
  [/5/g, 's'],
  [/rn/g, 'm'],
  [/vv/g, 'w'],
];

/**
 * A name without case, look-alikes and separators. Two names with one skeleton can be mistaken for each other.
 *
 * @example
 * ```ts
 * const isLookalike = skeletonOf('send_mai1') === skeletonOf('sendMail');
 * ```
 */
export function skeletonOf(name: string): string {
  const folded = viewOf(name).text.toLowerCase();
  const unified = LOOKALIKES.reduce((text, [pattern, letter]) => text.replace(pattern, letter), folded);
  return unified.replace(/[^a-z0-9\u0080-\uffff]/g, '');
}

/** Compares a server's listing with the pins, and with the tools listed before on the same page. */
export class Comparison {
  readonly #pins: Pins;
  readonly #others: ReadonlyMap<string, string>;
  // From skeleton to tool name.
  readonly #bySkeleton = new Map<string, string>();
  readonly #listed = new Set<string>();

  constructor(pins: Pins, others: ReadonlyMap<string, string>) {
    this.#pins = pins;
    this.#others = others;
    for (const name of [...others.keys(), ...Object.keys(pins.tools)]) this.#bySkeleton.set(skeletonOf(name), name);
  }

  isPinned(name: string): boolean {
    return Object.hasOwn(this.#pins.tools, name);
  }

  /** True if a person, or the check on first use, accepted exactly this definition. */
  isAccepted(name: string, definition: Definition): boolean {
    const { accepted = {} } = this.#pins;
    return Object.hasOwn(accepted, name) && accepted[name] === definitionDigest(definition);
  }

  /** The reason why a tool must be held; undefined if it is unchanged, or new with a distinct name. */
  heldFor(name: string, after: Definition): Held | undefined {
    const isRepeated = this.#listed.has(name);
    this.#listed.add(name);
    if (isRepeated) return { type: 'confusable', tool: name, with: name, after };
    if (this.isPinned(name)) {
      const before = this.#pins.tools[name] as Definition;
      return comparableForm(before) === comparableForm(after)
        ? undefined
        : { type: 'changed', tool: name, before, after };
    }
    const server = this.#others.get(name);
    if (server !== undefined) return { type: 'shadowed', tool: name, server, after };
    const skeleton = skeletonOf(name);
    const lookalike = this.#bySkeleton.get(skeleton);
    if (lookalike !== undefined) return { type: 'confusable', tool: name, with: lookalike, after };
    this.#bySkeleton.set(skeleton, name);
    return undefined;
  }
}
