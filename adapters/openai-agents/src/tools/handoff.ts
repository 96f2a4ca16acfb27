import { SallyportError } from '@sallyport/core';
import type { JsonSchema, OfferedTool } from '@sallyport/core/adapter';
import { argumentsOf } from '../turns/turns.ts';
import { type Context, checkWithApproval, type Gate, UNCALLED } from './gate.ts';
import { runInside } from './inside.ts';
import { withMembers } from './member.ts';
import { guardedSchema } from './offered.ts';

/** The relevant members of a handoff. */
interface Handing {
  readonly toolName: string;
  readonly inputJsonSchema?: object;
  onInvokeHandoff(context: Context, given: string): unknown;
}

function handingOf(handoff: object): Handing {
  const own = handoff as Partial<Handing>;
  if (typeof own.toolName !== 'string' || typeof own.onInvokeHandoff !== 'function')
    throw new SallyportError(
      'ERR_INVALID_OPTION',
      '`handoffs` must contain results of handoff(); received another object. Write handoff(agent).',
    );
  return own as Handing;
}

/** The handoffs as tools to declare. */
export function handoffsToDeclare(handoffs: readonly object[]): readonly OfferedTool[] {
  return handoffs.map(handingOf).map(({ toolName: name, inputJsonSchema }) => {
    return { name, parameters: inputJsonSchema as JsonSchema | undefined };
  });
}

/** The same handoffs, gated. The SDK has no result for one, so one that is not allowed fails the run. */
export function guardHandoffs<T extends object>(gate: Gate, handoffs: readonly T[]): T[] {
  return handoffs.map((handoff) => {
    const own = handingOf(handoff);
    const onInvokeHandoff: Handing['onInvokeHandoff'] = async (context, given) => {
      const use = { id: UNCALLED, tool: own.toolName, arguments: argumentsOf(given) };
      const decision = await checkWithApproval(gate, [], use, context);
      if (decision.outcome !== 'allow') throw new Error(decision.result, { cause: decision });
      return runInside(() => own.onInvokeHandoff(context, given));
    };
    const inputJsonSchema = guardedSchema(gate.conversation, own.inputJsonSchema);
    return withMembers(handoff, { onInvokeHandoff, inputJsonSchema });
  });
}
