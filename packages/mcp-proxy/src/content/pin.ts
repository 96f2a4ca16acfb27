import { canonicalJson } from '@sallyport/core/adapter';
import { viewOf } from '@sallyport/core/text';

/** A tool as a server defines it. */
export type Definition = Readonly<Record<string, unknown>>;

/** What was seen of a server the first time, or accepted by a person since. */
export interface Pins {
  readonly tools: Readonly<Record<string, Definition>>;
  /** @default not seen yet */
  readonly instructions?: string | undefined;
}

/** What is kept from the client until a person accepts it. */
export type Held =
  | { readonly type: 'changed'; readonly tool: string; readonly before: Definition; readonly after: Definition }
  /** Its name can be taken for that of another tool. */
  | { readonly type: 'confusable'; readonly tool: string; readonly with: string; readonly after: Definition }
  /** Another server has a tool of that name. */
  | { readonly type: 'shadowed'; readonly tool: string; readonly server: string; readonly after: Definition }
  /** It cannot be shown: its name or the names of its arguments say more than names do. */
  | { readonly type: 'unreadable'; readonly tool: string; readonly reason: string }
  | { readonly type: 'instructions'; readonly before: string; readonly after: string };

/** Where pins are kept. A proxy asks anew each time, since a person may accept something meanwhile. */
export interface PinStore {
  load(): PromiseLike<Pins | undefined> | Pins | undefined;
  /** Adds what was seen for the first time. It must not replace what is there. */
  add(pins: Pins): PromiseLike<void> | void;
  /** Notes what waits for a person, in place of what waited before under the same names. */
  hold(held: readonly Held[]): PromiseLike<void> | void;
  /** Whether a tool waits for a person. */
  waits(tool: string): PromiseLike<boolean> | boolean;
  /** The tools of other servers: by their name, who has them. */
  others(): PromiseLike<ReadonlyMap<string, string>> | ReadonlyMap<string, string>;
}

/** What a definition is compared by: all of it but what a server says beside it. */
export function formOf(definition: Definition): string {
  const { _meta, ...rest } = definition;
  return canonicalJson(rest);
}

/** Letters and digits of ASCII that a quick reader takes for each other. Those of other scripts are folded in core. */
const ALIKE: readonly (readonly [RegExp, string])[] = [
  [/[1i|]/g, 'l'],
  [/0/g, 'o'],
  [/5/g, 's'],
  [/rn/g, 'm'],
  [/vv/g, 'w'],
];

/** What is left of a name for a reader who looks quickly: no case, no look-alikes, nothing between the words. */
export function skeletonOf(name: string): string {
  const folded = viewOf(name).text.toLowerCase();
  const alike = ALIKE.reduce((text, [pattern, letter]) => text.replace(pattern, letter), folded);
  return alike.replace(/[^a-z0-9\u0080-\uffff]/g, '');
}

/** Compares what a server lists with what is pinned, and with what it listed before. */
export class Comparison {
  readonly #pins: Pins;
  readonly #others: ReadonlyMap<string, string>;
  // By skeleton, a tool that has such a name.
  readonly #alike = new Map<string, string>();
  readonly #listed = new Set<string>();

  constructor(pins: Pins, others: ReadonlyMap<string, string>) {
    this.#pins = pins;
    this.#others = others;
    for (const name of [...others.keys(), ...Object.keys(pins.tools)]) this.#alike.set(skeletonOf(name), name);
  }

  isPinned(name: string): boolean {
    return Object.hasOwn(this.#pins.tools, name);
  }

  /** Why a tool is to be held; undefined where it is as it was, or new and like no other. */
  heldFor(name: string, after: Definition): Held | undefined {
    const isTwice = this.#listed.has(name);
    this.#listed.add(name);
    if (isTwice) return { type: 'confusable', tool: name, with: name, after };
    if (this.isPinned(name)) {
      const before = this.#pins.tools[name] as Definition;
      return formOf(before) === formOf(after) ? undefined : { type: 'changed', tool: name, before, after };
    }
    const server = this.#others.get(name);
    if (server !== undefined) return { type: 'shadowed', tool: name, server, after };
    const skeleton = skeletonOf(name);
    const alike = this.#alike.get(skeleton);
    if (alike !== undefined) return { type: 'confusable', tool: name, with: alike, after };
    this.#alike.set(skeleton, name);
    return undefined;
  }
}
