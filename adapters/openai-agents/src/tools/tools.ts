import { SallyportError } from '@sallyport/core';
import { type Fields, type JsonSchema, type OfferedTool, stringOf } from '@sallyport/core/adapter';
import { type Actor, guardActor, isActor } from './action.ts';
import type { Gate } from './gate.ts';
import { type Callable, checkedName, guardFunction } from './guard.ts';
import { symbolOf, withMembers } from './member.ts';
import { isSearch, recordGuarded, SEARCH } from './offered.ts';

type Search = (about: unknown) => unknown;

/** Tools that your own search loads are guarded as well; the SDK's search loads tools that the agent already has. */
function guardSearch(gate: Gate, tool: object): object {
  const key = symbolOf(tool, 'clientToolSearchExecutor');
  if (key === undefined) return {};
  const search = (tool as Record<symbol, Search>)[key] as Search;
  const value: Search = async (about) => {
    const found = (await search(about)) as object | readonly object[] | null | undefined;
    return guardTools(gate, [found ?? []].flat());
  };
  return Object.defineProperty({}, key, { value, configurable: true });
}

function guardsOf(gate: Gate, tool: object): object | undefined {
  if (isFunction(tool)) return guardFunction(gate, tool);
  if (isSearch(tool)) return guardSearch(gate, tool);
  return isActor(tool as Fields) ? guardActor(gate, tool as Actor) : undefined;
}

function isFunction(tool: object): tool is Callable {
  return (tool as Fields).type === 'function';
}

/** The tools that have to be declared: the results of those that the provider runs count as content of others in any case. */
export function toDeclare(tools: readonly object[]): readonly OfferedTool[] {
  const own = tools.filter((tool) => isFunction(tool) || isActor(tool as Fields));
  return own.map((tool) => {
    if (!isFunction(tool)) return { name: String((tool as Fields).type) };
    const { description, parameters, customDataExtractor } = tool as Callable & Fields;
    return {
      name: checkedName(tool),
      description: stringOf(description),
      parameters: parameters as JsonSchema | undefined,
      // The SDK gives every tool of an MCP server one, and nothing else that tells it apart.
      describedBy: typeof customDataExtractor === 'function' ? 'server' : undefined,
    };
  });
}

/** Tools that a gate checks. */
const guarded = new WeakMap<object, Gate>();

/**
 * Guards an agent as a tool by changing the tool itself: the SDK identifies it by the object, and with a copy it would not find
 * the agent whose call a person has approved. The tool was made for one conversation, like its own tools.
 */
function guardInPlace<T extends object>(tool: T, guards: object): T {
  if (guarded.has(tool))
    throw new SallyportError(
      'ERR_INVALID_OPTION',
      'An agent as a tool must be used in one conversation. Call asTool() for each conversation.',
    );
  return Object.assign(tool, guards);
}

function guardTool<T extends object>(gate: Gate, tool: T): T {
  // A search may load a tool that is already guarded: with two checks, an approval would be used up before the tool runs.
  if (guarded.get(tool)?.conversation === gate.conversation) return tool;
  const isAgent = typeof (tool as Fields).on === 'function';
  const guards = guardsOf(gate, isAgent ? withMembers(tool, {}) : tool);
  if (guards === undefined) return tool;
  const same = isAgent ? guardInPlace(tool, guards) : withMembers(tool, guards);
  guarded.set(same, gate);
  if (!isFunction(same)) recordGuarded(gate.conversation, isSearch(same) ? SEARCH : String((same as Fields).type));
  return same;
}

/** The same tools, gated. Tools that the provider runs are returned unchanged. */
export function guardTools<T extends object>(gate: Gate, tools: readonly T[]): T[] {
  return tools.map((tool) => guardTool(gate, tool));
}
