import type { Recorded } from '@sallyport/core';
import { jsonSchema, type Tool, tool } from 'ai';

/** What `createScripts()` of `@sallyport/sandbox` gives. */
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

export interface RunScriptOptions<Suspension> {
  /** What scripts find under `input`, by name. @default nothing */
  readonly input?: Readonly<Record<string, Recorded>>;
  /** A script waits for a person: ask, then `scripts.resume()`. @default the script is given up */
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

/** The tool by which a model runs a script. Offer it under the name that the boundary knows, through `tools()` like the others. */
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
