import type { Tool } from '@sallyport/core';
import { SandboxError } from '../errors.ts';

/** Something that a script may call: a tool of the boundary, and what it does. */
export interface ScriptFunction {
  /** What defineTool() made, and the boundary knows: its effect is judged, its source is the label of what it gives. */
  readonly tool: Tool;
  /** For the model that writes scripts: what it takes and gives, in a line. */
  readonly description?: string;
  /** Gets the one object that the script passes, and gives a JSON value. */
  run(given: Readonly<Record<string, unknown>>, context: { readonly signal: AbortSignal }): unknown;
}

export type ScriptFunctions = Readonly<Record<string, ScriptFunction>>;

export const QUERY = 'llmQuery';
export const QUERY_STRUCTURED = 'llmQueryStructured';

/** Names that mean something in a script already. */
const TAKEN: ReadonlySet<string> = new Set([
  ...[QUERY, QUERY_STRUCTURED, 'input', 'undefined', 'globalThis', 'eval', 'escape', 'unescape', 'queueMicrotask'],
  ...['isNaN', 'isFinite', 'parseInt', 'parseFloat', 'atob', 'btoa'],
  ...['decodeURI', 'decodeURIComponent', 'encodeURI', 'encodeURIComponent'],
]);

export function checkFunctions(functions: ScriptFunctions): ScriptFunctions {
  for (const [name, { tool, run }] of Object.entries(functions)) {
    if (!/^[a-z]\w{0,63}$/.test(name) || TAKEN.has(name))
      throw new SandboxError(
        'ERR_INVALID_OPTION',
        `A script cannot call a function ${JSON.stringify(name)}: name it like sendMail.`,
      );
    if (tool?.type !== 'tool' || typeof run !== 'function')
      throw new SandboxError(
        'ERR_INVALID_OPTION',
        `functions.${name} is { tool, run }: what defineTool() made, and what it does.`,
      );
  }
  return functions;
}

/** What the model that writes scripts is told. */
export function describeFunctions(functions: ScriptFunctions, hasModel: boolean): string {
  const offered = Object.entries(functions).map(([name, { description = '' }]) =>
    `- await ${name}({ ... }) ${description}`.trimEnd(),
  );
  const asked = hasModel
    ? [
        `- await ${QUERY}(question, { data: [text, ...] }) asks a model that sees nothing else, and gives its answer as text. At most 10 KiB each.`,
        `- await ${QUERY_STRUCTURED}(question, jsonSchema, { data: [text, ...] }) gives a value that fits the schema.`,
      ]
    : [];
  return ['Functions:', ...offered, ...asked, 'The global `input` holds what the script is to work on.'].join('\n');
}
