import type { Tool } from '@sallyport/core';
import { SandboxError } from '../errors.ts';

/** A function that a script may call: a tool of the boundary and its implementation. */
export interface ScriptFunction {
  /** A tool of the boundary. The gate checks its effect, and its source labels the results. */
  readonly tool: Tool;
  /** One line for the model that writes scripts: parameters and result. @default '' */
  readonly description?: string;
  /** Receives the script's argument object and returns a JSON value. */
  run(given: Readonly<Record<string, unknown>>, context: { readonly signal: AbortSignal }): unknown;
}

/** The functions that a script may call, by name. */
export type ScriptFunctions = Readonly<Record<string, ScriptFunction>>;

export const QUERY = 'llmQuery';
export const QUERY_STRUCTURED = 'llmQueryStructured';

/** Names that already have a meaning in a script. */
const RESERVED_NAMES: ReadonlySet<string> = new Set([
  ...[QUERY, QUERY_STRUCTURED, 'input', 'undefined', 'globalThis', 'eval', 'escape', 'unescape', 'queueMicrotask'],
  ...['isNaN', 'isFinite', 'parseInt', 'parseFloat', 'atob', 'btoa'],
  ...['decodeURI', 'decodeURIComponent', 'encodeURI', 'encodeURIComponent'],
]);

export function checkFunctions(functions: ScriptFunctions): ScriptFunctions {
  for (const [name, { tool, run }] of Object.entries(functions)) {
    if (!/^[a-z]\w{0,63}$/.test(name) || RESERVED_NAMES.has(name))
      throw new SandboxError(
        'ERR_INVALID_OPTION',
        `\`functions\` must have names like sendMail that are not reserved; received ${JSON.stringify(name)}.`,
      );
    if (tool?.type !== 'tool' || typeof run !== 'function')
      throw new SandboxError(
        'ERR_INVALID_OPTION',
        `\`functions.${name}\` must be { tool, run } with a tool from defineTool() and a function.`,
      );
  }
  return functions;
}

/** Explains the functions to the model that writes scripts. */
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
