import { SallyportError } from '@sallyport/core';
import { argumentsOf } from '../turns/turns.ts';
import { type Context, checkWithApproval, type Gate, UNCALLED } from './gate.ts';
import { runInside } from './inside.ts';
import { withMembers } from './member.ts';

/** The relevant members of a handoff. */
interface Handing {
  readonly toolName: string;
  onInvokeHandoff(context: Context, given: string): unknown;
}

/** The same handoffs behind the gate. The SDK has no result for a handoff, so one that is not allowed fails the run. */
export function guardHandoffs<T extends object>(gate: Gate, handoffs: readonly T[]): T[] {
  return handoffs.map((handoff) => {
    const own = handoff as Partial<Handing>;
    if (typeof own.toolName !== 'string' || typeof own.onInvokeHandoff !== 'function')
      throw new SallyportError(
        'ERR_INVALID_OPTION',
        '`handoffs` must contain results of handoff(); received another object. Write handoff(agent).',
      );
    const { toolName } = own;
    const onInvokeHandoff: Handing['onInvokeHandoff'] = async (context, given) => {
      const use = { id: UNCALLED, tool: toolName, arguments: argumentsOf(given) };
      const decision = await checkWithApproval(gate, [], use, context);
      if (decision.outcome !== 'allow') throw new Error(decision.result, { cause: decision });
      return runInside(() => own.onInvokeHandoff?.(context, given));
    };
    return withMembers(handoff, { onInvokeHandoff });
  });
}
