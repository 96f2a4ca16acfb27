import { SallyportError } from '@sallyport/core';
import { type Actor, guardActor, isActor } from './action.ts';
import type { Gate } from './gate.ts';
import { type Callable, guardFunction } from './guard.ts';
import type { Fields } from './part.ts';

function guardsOf(gate: Gate, tool: object): object | undefined {
  if ((tool as Fields).type === 'function') return guardFunction(gate, tool as Callable);
  return isActor(tool as Fields) ? guardActor(gate, tool as Actor) : undefined;
}

/** A copy with other members: the SDK keeps some of a tool's under symbols. */
function withMembers<T extends object>(tool: T, members: object): T {
  const all = { ...Object.getOwnPropertyDescriptors(tool), ...Object.getOwnPropertyDescriptors(members) };
  return Object.create(Object.getPrototypeOf(tool), all) as T;
}

const guarded = new WeakMap<object, Gate>();

/**
 * An agent as a tool is known to the SDK by the object it is: in a copy, nobody would find the agent whose call a person has
 * approved. It was made for one conversation, as its tools were.
 */
function guardInPlace<T extends object>(gate: Gate, tool: T): T {
  const known = guarded.get(tool);
  if (known === undefined) Object.assign(tool, guardsOf(gate, withMembers(tool, {})));
  else if (known.conversation !== gate.conversation)
    throw new SallyportError('ERR_INVALID_OPTION', 'An agent as a tool has one conversation: call asTool() for each.');
  guarded.set(tool, known ?? gate);
  return tool;
}

/** The same tools behind the gate. What the provider runs itself has no seam, and stays as it is. */
export function guardTools<T extends object>(gate: Gate, tools: readonly T[]): T[] {
  return tools.map((tool) => {
    if (typeof (tool as Fields).on === 'function') return guardInPlace(gate, tool);
    const guards = guardsOf(gate, tool);
    return guards === undefined ? tool : withMembers(tool, guards);
  });
}
