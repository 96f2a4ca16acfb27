import { readFileSync } from 'node:fs';
import { defineTool, type Effect, type Tool, type ToolDefinition } from '@sallyport/core';
import type { ToolRegistry } from '@sallyport/core/adapter';
import { CommandError, shown } from '../terminal-text.ts';

/** What a word in a tool's name says that it does. The strongest counts; what says nothing may do anything. */
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

/** The effect that a tool seems to have by its name: the first word that says one. */
export function guessEffect(name: string): Effect {
  for (const word of wordsOf(name)) {
    const found = VERBS.find(([, pattern]) => pattern.test(word));
    if (found !== undefined) return found[0];
  }
  return 'execute';
}

/** The tools of a log: as somebody has declared them, or as their names sound. */
export class LoggedTools implements ToolRegistry {
  readonly #declared: ReadonlyMap<string, Tool>;
  readonly #guessed = new Map<string, Tool>();

  constructor(declared: readonly ToolDefinition[] = []) {
    this.#declared = new Map(declared.map((definition) => [definition.name, defineTool(definition)]));
  }

  get(name: string): Tool | undefined {
    return this.#declared.get(name) ?? this.#guessed.get(name);
  }

  /** A tool that was called. One that nobody declared does what its name says. */
  take(name: string): Tool {
    const known = this.get(name);
    if (known !== undefined) return known;
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
    throw new CommandError(`${shown(file)} does not declare tools: ${shown(message)}`, 'see the example in --help', 2);
  }
}
