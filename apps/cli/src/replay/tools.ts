import { readFileSync } from 'node:fs';
import { defineTool, type Tool, type ToolDefinition } from '@sallyport/core';
import { effectOfCalledTool, type ToolRegistry } from '@sallyport/core/adapter';
import { EFFECTS } from '@sallyport/core/stages';
import { CommandError, printable } from '../terminal-text.ts';

/** The tools of a log: as declared, or with an effect guessed from their names and arguments. */
export class LoggedTools implements ToolRegistry {
  readonly #declared: ReadonlyMap<string, Tool>;
  readonly #guessed = new Map<string, Tool>();

  constructor(declared: readonly ToolDefinition[] = []) {
    this.#declared = new Map(declared.map((definition) => [definition.name, defineTool(definition)]));
  }

  get(name: string): Tool | undefined {
    return this.#declared.get(name) ?? this.#guessed.get(name);
  }

  /** The tool of a call. One that is not declared has the strongest effect that one of its calls has suggested. */
  resolve(name: string, given: unknown = {}): Tool {
    const known = this.get(name);
    if (this.#declared.has(name) && known !== undefined) return known;
    const effect = effectOfCalledTool(name, given);
    if (known !== undefined && EFFECTS.indexOf(effect) <= EFFECTS.indexOf(known.effect)) return known;
    const guessed = defineTool({ name: name.slice(0, 256) || 'unknown', origin: 'external', effect });
    this.#guessed.set(name, guessed);
    return guessed;
  }

  /** The tools whose effect was guessed. */
  get guessed(): readonly Tool[] {
    return [...this.#guessed.values()];
  }
}

/** Reads declarations: `{ "send_mail": { "effect": "send", "origin": "workspace", "modelText": ["body"] } }`. */
export function readTools(file: string): LoggedTools {
  try {
    const table = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, Omit<ToolDefinition, 'name'>>>;
    return new LoggedTools(Object.entries(table).map(([name, definition]) => ({ ...definition, name })));
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new CommandError(
      `${printable(file)} is not a file of tool declarations: ${printable(message)}`,
      'see the example in sallyport replay --help',
      2,
    );
  }
}
