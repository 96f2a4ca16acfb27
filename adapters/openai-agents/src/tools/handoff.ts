import { SallyportError } from '@sallyport/core';
import { argumentsOf } from '../turns/turns.ts';
import { type Context, type Gate, settle, UNCALLED } from './gate.ts';
import { runInside } from './inside.ts';
import { withMembers } from './member.ts';

/** What of a handoff matters here. */
interface Handing {
  readonly toolName: string;
  onInvokeHandoff(context: Context, given: string): unknown;
}

/** The same handoffs behind the gate. The SDK has nothing to answer in place of one: where it may not be made, the run fails. */
export function guardHandoffs<T extends object>(gate: Gate, handoffs: readonly T[]): T[] {
  return handoffs.map((handoff) => {
    const own = handoff as Partial<Handing>;
    if (typeof own.toolName !== 'string' || typeof own.onInvokeHandoff !== 'function')
      throw new SallyportError('ERR_INVALID_OPTION', 'handoffs() takes what handoff() makes: write handoff(agent).');
    const { toolName } = own;
    const onInvokeHandoff: Handing['onInvokeHandoff'] = async (context, given) => {
      const use = { id: UNCALLED, tool: toolName, arguments: argumentsOf(given) };
      const decision = await settle(gate, [], use, context);
      if (decision.outcome !== 'allow') throw new Error(decision.result, { cause: decision });
      return runInside(() => own.onInvokeHandoff?.(context, given));
    };
    return withMembers(handoff, { onInvokeHandoff });
  });
}
