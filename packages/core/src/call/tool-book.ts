import { canonicalJson } from '../base/canonical-json.ts';
import { refuse, SallyportError } from '../base/errors.ts';
import { describeTool, Tool, type ToolRegistry } from './tool.ts';

/** The tools of one conversation: those of its boundary, and those that are declared to it alone. */
export class ToolBook implements ToolRegistry {
  readonly #shared: ToolRegistry;
  readonly #own = new Map<string, Tool>();

  constructor(shared: ToolRegistry) {
    this.#shared = shared;
  }

  get(name: string): Tool | undefined {
    return this.#own.get(name) ?? this.#shared.get(name);
  }

  values(): Iterable<Tool> {
    return [...this.#own.values(), ...(this.#shared.values?.() ?? [])];
  }

  /** Adds a tool. The same declaration may be made again, because an application may wire a conversation for every request. */
  add(tool: Tool): void {
    if (!Tool.is(tool)) refuse('declareTools() needs tools that defineTool() made.');
    const known = this.get(tool.name);
    if (known === undefined) this.#own.set(tool.name, tool);
    else if (canonicalJson(describeTool(known)) !== canonicalJson(describeTool(tool)))
      throw new SallyportError(
        'ERR_INVALID_NAME',
        `The tool ${tool.name} is declared twice, in different ways. Declare it to the boundary or to protect(), not to both.`,
      );
  }
}
