import { readFileSync } from 'node:fs';
import { defineTool, type Effect, type Tool, type ToolDefinition } from '@sallyport/core';
import type { ToolRegistry } from '@sallyport/core/adapter';
import { CommandError, printable } from '../terminal-text.ts';

/** The effect that a word in a tool's name suggests. */
const VERBS: readonly (readonly [Effect, RegExp])[] = [
  ['execute', /^(?:run|exec|execute|eval|shell|bash|install|deploy)$/],
  ['destroy', /^(?:delete|remove|drop|destroy|erase|purge|cancel|revoke)$/],
  ['spend', /^(?:pay|transfer|buy|purchase|order|checkout|book|refund|send_money)$/],
  ['send', /^(?:send|post|mail|email|reply|forward|share|publish|invite|message|notify|submit|upload|tweet)$/],
  [
    'write',
    /^(?:write|create|update|add|edit|set|save|move|rename|append|insert|put|patch|change|mark|star|fork|merge|close|open|assign)$/,
  ],
  [
    'read',
    /^(?:get|list|read|search|find|fetch|view|show|query|lookup|look|check|describe|count|browse|download|scan|summarize|retrieve|inspect|grep|cat|ls)$/,
  ],
];

function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

/** Guesses the effect of a tool from the first word in its name that suggests one. Without one, it may do anything. */
export function guessEffect(name: string): Effect {
  for (const word of wordsOf(name)) {
    const found = VERBS.find(([, pattern]) => pattern.test(word));
    if (found !== undefined) return found[0];
  }
  return 'execute';
}

/** The tools of a log: as declared, or with an effect guessed from their names. */
export class LoggedTools implements ToolRegistry {
  readonly #declared: ReadonlyMap<string, Tool>;
  readonly #guessed = new Map<string, Tool>();

  constructor(declared: readonly ToolDefinition[] = []) {
    this.#declared = new Map(declared.map((definition) => [definition.name, defineTool(definition)]));
  }

  get(name: string): Tool | undefined {
    return this.#declared.get(name) ?? this.#guessed.get(name);
  }

  /** The tool with a name. One that is not declared gets an effect guessed from its name. */
  resolve(name: string): Tool {
    const tool = this.get(name);
    if (tool !== undefined) return tool;
    const guessed = defineTool({
      name: name.slice(0, 256) || 'unknown',
      origin: 'external',
      effect: guessEffect(name),
    });
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
