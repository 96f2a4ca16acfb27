import type { Recorded } from '@sallyport/core';
import { jsonSchema, type Tool, tool } from 'ai';

/** The part of a `createScripts()` result (`@sallyport/sandbox`) that `runScript` needs. */
export interface ScriptRunner<Suspension = unknown> {
  readonly description: string;
  run(options: {
    readonly id: string;
    readonly source: string;
    readonly input?: Readonly<Record<string, Recorded>>;
    readonly signal?: AbortSignal;
  }): Promise<
    | { readonly status: 'done'; readonly value: unknown }
    | { readonly status: 'failed'; readonly record: Recorded }
    | { readonly status: 'suspended'; readonly suspension: Suspension }
  >;
}

/** Options of `runScript`. */
export interface RunScriptOptions<Suspension> {
  /** Records that scripts can read under `input`, by name. @default {} */
  readonly input?: Readonly<Record<string, Recorded>>;
  /** Called when a script waits for a person: ask them, then call `scripts.resume()`. @default the script is abandoned */
  readonly onSuspended?: (suspension: Suspension) => void;
}

const SUSPENDED =
  'The script has stopped before a call that a person has to approve. Go on with what does not depend on it, and tell the user that an approval is pending.';

const INPUT = jsonSchema<{ source: string }>({
  type: 'object',
  properties: { source: { type: 'string' } },
  required: ['source'],
  additionalProperties: false,
});

/**
 * The tool with which a model runs a script. Offer it under the name that you declared to the boundary, through `tools()` like
 * your other tools.
 *
 * @example
 * ```ts
 * const scripts = createScripts({ conversation, engine, functions });
 * const offered = tools({ ...mailTools, run_script: runScript(scripts) });
 * ```
 */
export function runScript<Suspension>(
  scripts: ScriptRunner<Suspension>,
  { input = {}, onSuspended }: RunScriptOptions<Suspension> = {},
): Tool<{ source: string }, unknown> {
  return tool({
    description: scripts.description,
    inputSchema: INPUT,
    execute: async ({ source }: { source: string }, { toolCallId: id, abortSignal: signal }): Promise<unknown> => {
      const result = await scripts.run({ id, source, input, ...(signal === undefined ? {} : { signal }) });
      if (result.status === 'done') return result.value;
      if (result.status === 'failed')
        return result.record.parts.map((part) => ('text' in part ? part.text : '')).join('');
      onSuspended?.(result.suspension);
      return SUSPENDED;
    },
  });
}
