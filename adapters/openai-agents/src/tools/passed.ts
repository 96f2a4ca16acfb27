import type { ModelRequest } from '@openai/agents';
import { type Conversation, SallyportError } from '@sallyport/core';
import { type Fields, isFields } from '../turns/part.ts';
import { toolName } from '../turns/turns.ts';

/** By conversation: the names of the tools whose calls are judged. */
const passed = new WeakMap<Conversation, Set<string>>();

/** Notes that the calls of a tool are judged. */
export function notePassed(conversation: Conversation, name: string): void {
  passed.set(conversation, (passed.get(conversation) ?? new Set()).add(name));
}

/** The search of a client, which brings tools that no request has offered. */
export const SEARCH = 'tool_search';

export function isSearch(tool: object): boolean {
  const { type, providerData } = tool as Fields;
  return type === 'hosted_tool' && isFields(providerData) && providerData.type === SEARCH;
}

/** Calls of what acts on this machine, by their type. */
const ACTORS: ReadonlyMap<unknown, string> = new Map([
  ['shell_call', 'shell'],
  ['apply_patch_call', 'apply_patch'],
  ['computer_call', 'computer'],
]);

/** A shell may also be the provider's. */
function isLocal({ type, environment }: Fields): boolean {
  return type !== 'shell' || !isFields(environment) || environment.type === 'local';
}

/** The tool that the SDK would run for an item of an answer; undefined where it would run none. */
function calledIn(item: Fields, { tools = [], handoffs = [] }: Partial<ModelRequest>): string | undefined {
  const actor = ACTORS.get(item.type);
  if (actor !== undefined) return tools.some((tool) => tool.type === actor && isLocal(tool)) ? actor : undefined;
  if (item.type !== 'function_call') return undefined;
  const name = toolName(String(item.name), item.namespace);
  if (item.namespace === undefined && handoffs.some((handoff) => handoff.toolName === name)) return undefined;
  if (tools.some((tool) => tool.type === 'function' && toolName(tool.name, tool.namespace) === name)) return name;
  return tools.some(isSearch) ? SEARCH : undefined;
}

/**
 * Nothing is run by halves: where tools of an agent are behind the gate, one that is not would be the way round it. The SDK adds
 * tools of its own to an agent, those of sandboxes and of MCP servers, and runs them without asking anybody.
 */
export function checkPassed(conversation: Conversation, request: Partial<ModelRequest>, output: unknown): void {
  const names = passed.get(conversation);
  if (names === undefined) return;
  for (const item of Array.isArray(output) ? output.filter(isFields) : []) {
    const name = calledIn(item, request);
    if (name !== undefined && !names.has(name))
      throw new SallyportError(
        'ERR_STAGE_SKIPPED',
        `The tool ${name} did not go through tools() or capabilities() of protect(), so its calls are not judged: pass it through.`,
      );
  }
}
