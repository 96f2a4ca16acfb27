import { defineTool, type Tool } from '@sallyport/core';
import { effectOfAnnotations, type JsonSchema, type ToolAnnotations } from '@sallyport/core/adapter';
import type { Definition, Held, Pins } from '../content/pin.ts';
import type { Settings } from '../settings.ts';
import { namesOf } from '../state/names.ts';

/** The tools of one server as the gate knows them, and those that are held. */
export class Catalog {
  readonly #settings: Settings;
  readonly #tools = new Map<string, Tool>();
  readonly #definitions = new Map<string, Definition>();
  readonly #held = new Set<string>();
  // Listed to this client as it was pinned.
  readonly #shown = new Set<string>();
  #loading: Promise<void> | undefined;
  // Nothing was listed or pinned yet: a client may know the tools from somewhere else.
  #isUnseen = true;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** Before the first listing every tool is one that may do anything; afterwards what was not listed is nobody's. */
  get(name: string): Tool | undefined {
    const { prefix } = this.#settings;
    const tool = name.startsWith(prefix) ? this.#tools.get(name.slice(prefix.length)) : undefined;
    if (tool !== undefined || !this.#isUnseen || !name.startsWith(prefix)) return tool;
    try {
      return defineTool({ name, origin: 'external' });
    } catch {
      return undefined;
    }
  }

  definitionOf(name: string): Definition | undefined {
    return this.#definitions.get(name);
  }

  /** A client may call what it listed in another life. */
  load(): Promise<void> {
    this.#loading ??= this.#load().catch((cause: unknown) => {
      this.#loading = undefined;
      throw cause;
    });
    return this.#loading;
  }

  async #load(): Promise<void> {
    const { tools = {} } = (await this.#settings.pins.load()) ?? {};
    for (const [name, definition] of Object.entries(tools)) if (!this.#tools.has(name)) this.#define(name, definition);
  }

  show(definitions: readonly Definition[]): void {
    this.#isUnseen = false;
    for (const definition of definitions) {
      const name = String(definition.name);
      this.#held.delete(name);
      this.#shown.add(name);
      this.#define(name, definition);
    }
  }

  hold(held: readonly Held[]): void {
    for (const each of held)
      if (each.type !== 'instructions') {
        this.#held.add(each.tool);
        this.#shown.delete(each.tool);
      }
  }

  /** Whether calls of a tool wait for a person. He may have accepted its definition meanwhile: then it is pinned as it was held. */
  async isHeld(name: string): Promise<boolean> {
    const { pins } = this.#settings;
    // What was held in another life of this proxy waits still.
    const isHeld = this.#held.has(name);
    if (!isHeld && this.#shown.has(name)) return false;
    if (await pins.waits(name)) return true;
    if (!isHeld) return false;
    const known: Pins | undefined = await pins.load();
    const definition = Object.hasOwn(known?.tools ?? {}, name) ? known?.tools[name] : undefined;
    if (definition === undefined) return true;
    this.show([{ ...definition, name }]);
    return false;
  }

  #define(name: string, definition: Definition): void {
    this.#isUnseen = false;
    const { tools, isTrusted, prefix } = this.#settings;
    const known = Object.hasOwn(tools, name) ? tools[name] : undefined;
    const effect = effectOfAnnotations(definition.annotations as ToolAnnotations | undefined, isTrusted);
    const origin = known?.trusted === true ? {} : { origin: 'external' as const };
    const schema = definition.inputSchema;
    this.#definitions.set(name, definition);
    try {
      const isSchema = typeof schema === 'object' && schema !== null;
      const parameters = isSchema ? { parameters: isTrusted ? (schema as JsonSchema) : namesOf(schema) } : {};
      this.#tools.set(name, defineTool({ ...origin, effect, ...known, name: `${prefix}${name}`, ...parameters }));
    } catch {
      // A name or a schema that core refuses: the tool is one that nobody declared, and its calls are asked about.
      this.#tools.delete(name);
    }
  }
}
