import { defineTool, type Effect, type Tool } from '@sallyport/core';
import { argumentNamesOf, causeName, effectOfServerTool, type JsonSchema } from '@sallyport/core/adapter';
import { pageOf } from '../content/app.ts';
import type { Definition, Held, Pins } from '../content/pin.ts';
import { effectOfMessage } from '../message/methods.ts';
import type { Settings, ToolKnowledge } from '../settings.ts';
import type { HeldAs } from '../state/journal.ts';

/** Effects that an unlisted tool can have by its name. A tool with any other name counts as able to do anything. */
const GRAVE: ReadonlySet<Effect> = new Set(['configure', 'spend', 'destroy']);

/** The tools of one server as the gate sees them, and the tools that are held. */
export class Catalog {
  readonly #settings: Settings;
  readonly #tools = new Map<string, Tool>();
  readonly #definitions = new Map<string, Definition>();
  readonly #held = new Set<string>();
  // Listed to this client with the pinned definition.
  readonly #shown = new Set<string>();
  // The addresses of the pages of accepted tools: from tool to address.
  readonly #pages = new Map<string, string>();
  #loading: Promise<void> | undefined;
  // True until a tool is listed or pinned. A client may know the tools from an earlier session.
  #isEmpty = true;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /**
   * The tool of a name, for the gate, or the client's message of that name. Before the first listing, an unknown name counts as declared, or as able to do
   * anything. A name that differs from a declared one only in case is undeclared.
   */
  get(name: string): Tool | undefined {
    const { prefix } = this.#settings;
    if (!name.startsWith(prefix)) return undefined;
    const bare = name.slice(prefix.length);
    const tool = this.#tools.get(bare);
    const ofMessage = effectOfMessage(bare);
    if (tool !== undefined || (ofMessage === undefined && (!this.#isEmpty || this.#isMisspelt(bare)))) return tool;
    try {
      const named = effectOfServerTool(bare, {}, false);
      return defineTool({ ...this.#known(bare, ofMessage ?? (GRAVE.has(named) ? named : 'execute')), name });
    } catch (cause) {
      this.#settings.onEvent({ type: 'failed', operation: 'define', cause: causeName(cause) });
      return undefined;
    }
  }

  definitionOf(name: string): Definition | undefined {
    return this.#definitions.get(name);
  }

  /** The page in which a host shows the results of an accepted tool. */
  pageOf(tool: string): string | undefined {
    return this.#pages.get(tool);
  }

  isPage(uri: string): boolean {
    return [...this.#pages.values()].includes(uri);
  }

  /** Loads the pinned tools, since a client may call a tool that an earlier process listed. */
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

  /** Adds listed tools. `unframed` are the definitions that the client sees unchanged. */
  show(definitions: readonly Definition[], unframed: readonly Definition[] = []): void {
    this.#isEmpty = false;
    for (const definition of definitions) {
      const name = String(definition.name);
      const page = unframed.includes(definition) ? pageOf(definition) : undefined;
      if (page === undefined) this.#pages.delete(name);
      else this.#pages.set(name, page);
      this.#held.delete(name);
      this.#shown.add(name);
      this.#define(name, definition);
    }
  }

  hold(held: readonly Held[]): void {
    for (const each of held)
      if (each.type !== 'instructions' && each.type !== 'flagged') {
        this.#held.add(each.tool);
        this.#shown.delete(each.tool);
      }
  }

  /**
   * The reason why calls of a tool are refused, or undefined. A tool whose definition a person has accepted is shown
   * again.
   */
  async heldAs(name: string): Promise<HeldAs | undefined> {
    const { pins } = this.#settings;
    // A tool that an earlier process held still waits.
    const isHeld = this.#held.has(name);
    if (!isHeld && this.#shown.has(name)) return undefined;
    const waits = await pins.waits(name);
    if (waits !== false) return waits === 'rejected' ? 'rejected' : 'waits';
    if (!isHeld) return undefined;
    const pinned: Pins | undefined = await pins.load();
    const definition = Object.hasOwn(pinned?.tools ?? {}, name) ? pinned?.tools[name] : undefined;
    if (definition === undefined) return 'waits';
    this.show([{ ...definition, name }]);
    return undefined;
  }

  /** Finds a declared tool whose name differs only in case: the server may take the two names for one. */
  #isMisspelt(name: string): boolean {
    const { tools } = this.#settings;
    const isSame = (each: string): boolean => each.toLowerCase() === name.toLowerCase();
    return !Object.hasOwn(tools, name) && Object.keys(tools).some(isSame);
  }

  /** The declaration of a tool by the user, or otherwise an effect. */
  #known(name: string, effect: Effect): ToolKnowledge {
    const { tools } = this.#settings;
    const declared = Object.hasOwn(tools, name) ? tools[name] : undefined;
    return { ...(declared?.trusted === true ? {} : { origin: 'external' as const }), effect, ...declared };
  }

  #define(name: string, definition: Definition): void {
    this.#isEmpty = false;
    const { trusted: isTrusted, prefix } = this.#settings;
    const effect = effectOfServerTool(name, definition, isTrusted);
    const schema = definition.inputSchema;
    this.#definitions.set(name, definition);
    try {
      const isSchema = typeof schema === 'object' && schema !== null;
      const parameters = isSchema ? { parameters: isTrusted ? (schema as JsonSchema) : argumentNamesOf(schema) } : {};
      this.#tools.set(name, defineTool({ ...this.#known(name, effect), name: `${prefix}${name}`, ...parameters }));
    } catch (cause) {
      // Core rejects the name or the schema. The tool stays undeclared, so its calls are asked about.
      this.#settings.onEvent({ type: 'failed', operation: 'define', cause: causeName(cause) });
      this.#tools.delete(name);
    }
  }
}
