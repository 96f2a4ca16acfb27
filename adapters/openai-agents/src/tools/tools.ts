import { SallyportError } from '@sallyport/core';
import type { Fields } from '../turns/part.ts';
import { type Actor, guardActor, isActor } from './action.ts';
import type { Gate } from './gate.ts';
import { type Callable, guardFunction, judgedName } from './guard.ts';
import { symbolOf, withMembers } from './member.ts';
import { isSearch, notePassed, SEARCH } from './passed.ts';

type Search = (about: unknown) => unknown;

/** What a search of yours loads goes through as well; the SDK's own loads what an agent has. */
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
  if ((tool as Fields).type === 'function') return guardFunction(gate, tool as Callable);
  if (isSearch(tool)) return guardSearch(gate, tool);
  return isActor(tool as Fields) ? guardActor(gate, tool as Actor) : undefined;
}

function nameOf(tool: object): string {
  if (isSearch(tool)) return SEARCH;
  return (tool as Fields).type === 'function' ? judgedName(tool as Callable) : String((tool as Fields).type);
}

/** Tools that are behind a gate. */
const guarded = new WeakMap<object, Gate>();

/**
 * An agent as a tool is known to the SDK by the object it is: in a copy, nobody would find the agent whose call a person has
 * approved. It was made for one conversation, as its tools were.
 */
function guardInPlace<T extends object>(tool: T, guards: object): T {
  if (guarded.has(tool))
    throw new SallyportError('ERR_INVALID_OPTION', 'An agent as a tool has one conversation: call asTool() for each.');
  return Object.assign(tool, guards);
}

function guardTool<T extends object>(gate: Gate, tool: T): T {
  // A search may load what is behind the gate already: judged twice, an approval would be spent before the tool runs.
  if (guarded.get(tool)?.conversation === gate.conversation) return tool;
  const isAgent = typeof (tool as Fields).on === 'function';
  const guards = guardsOf(gate, isAgent ? withMembers(tool, {}) : tool);
  if (guards === undefined) return tool;
  const same = isAgent ? guardInPlace(tool, guards) : withMembers(tool, guards);
  guarded.set(same, gate);
  notePassed(gate.conversation, nameOf(same));
  return same;
}

/** The same tools behind the gate. What the provider runs itself has no seam, and stays as it is. */
export function guardTools<T extends object>(gate: Gate, tools: readonly T[]): T[] {
  return tools.map((tool) => guardTool(gate, tool));
}
