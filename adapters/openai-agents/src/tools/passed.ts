import type { ModelRequest } from '@openai/agents';
import { type Conversation, SallyportError } from '@sallyport/core';
import { type Fields, fieldsOf, isFields, listOf } from '@sallyport/core/adapter';
import { toolName } from '../turns/turns.ts';

/** By conversation: the names of the guarded tools. */
const guarded = new WeakMap<Conversation, Set<string>>();

/** Records that the calls of a tool are checked. */
export function recordGuarded(conversation: Conversation, name: string): void {
  guarded.set(conversation, (guarded.get(conversation) ?? new Set()).add(name));
}

/** The client's tool search, which adds tools that no request has offered. */
export const SEARCH = 'tool_search';

export function isSearch(tool: object): boolean {
  const { type, providerData } = tool as Fields;
  return type === 'hosted_tool' && fieldsOf(providerData).type === SEARCH;
}

/** Tools that act on this machine, by the type of their calls. */
const ACTORS: ReadonlyMap<unknown, string> = new Map([
  ['shell_call', 'shell'],
  ['apply_patch_call', 'apply_patch'],
  ['computer_call', 'computer'],
]);

/** Whether a tool runs on this machine. The provider may run a shell of its own. */
function isLocal({ type, environment }: Fields): boolean {
  return type !== 'shell' || !isFields(environment) || environment.type === 'local';
}

/** The tool that the SDK would run for an item of an answer; undefined if it would run none. */
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
 * Fails the run if the answer calls a tool that is not guarded although others are: that tool would bypass the gate. The SDK adds
 * tools of sandboxes and MCP servers to an agent, and runs them without a check.
 */
export function checkGuarded(conversation: Conversation, request: Partial<ModelRequest>, output: unknown): void {
  const names = guarded.get(conversation);
  if (names === undefined) return;
  for (const item of listOf(output).filter(isFields)) {
    const name = calledIn(item, request);
    if (name !== undefined && !names.has(name))
      throw new SallyportError(
        'ERR_STAGE_SKIPPED',
        `The calls of the tool ${name} are not checked. Pass it through tools() or capabilities() of protect().`,
      );
  }
}
