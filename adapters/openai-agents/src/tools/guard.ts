import { readStored } from '../turns/stored.ts';
import { argumentsOf, toolName } from '../turns/turns.ts';
import { type Context, checkEarly, checkRead, checkWithApproval, type Gate, UNCALLED } from './gate.ts';
import { runInside } from './inside.ts';
import { symbolOf } from './member.ts';
import { guardedSchema, recordReached } from './offered.ts';

interface Details {
  readonly toolCall?: { readonly callId: string };
  /** Set if an agent as a tool resumes after an interruption. */
  readonly resumeState?: string;
  readonly signal?: AbortSignal;
}

/** The relevant members of a function tool. */
export interface Callable {
  readonly name: string;
  readonly deferLoading?: boolean;
  readonly parameters?: object;
  invoke(context: Context, input: string, details?: Details): Promise<unknown>;
  needsApproval(context: Context, input: unknown, callId?: string): Promise<boolean>;
}

function namespaceOf(tool: object): unknown {
  const key = symbolOf(tool, 'functionToolNamespace');
  return key === undefined ? undefined : (tool as Record<symbol, unknown>)[key];
}

/** The name under which the calls of a tool are checked. */
export function checkedName(tool: Callable): string {
  return toolName(tool.name, namespaceOf(tool));
}

/** The names under which the SDK may store the approval of a call. */
function approvalNames(tool: Callable): readonly string[] {
  const namespace = namespaceOf(tool);
  if (namespace !== undefined)
    return [toolName(tool.name, namespace), JSON.stringify(['namespaced', namespace, tool.name])];
  return tool.deferLoading === true ? [tool.name, JSON.stringify(['deferred_top_level', tool.name])] : [tool.name];
}

function guardInvoke(gate: Gate, tool: Callable): Callable['invoke'] {
  const name = checkedName(tool);
  return async (context, input, details) => {
    if (details?.toolCall !== undefined) recordReached(gate.conversation, details.toolCall.callId);
    if (details?.resumeState !== undefined) {
      // The stored inner run is not the whole history: the outer run decided what the agent was told.
      checkRead(gate);
      // The run was allowed when it started; calls that the inner agent makes now are checked against what it has read.
      await gate.conversation.render(readStored(details.resumeState));
    } else {
      const use = { id: details?.toolCall?.callId ?? UNCALLED, tool: name, arguments: argumentsOf(input) };
      const { outcome, result } = await checkWithApproval(gate, approvalNames(tool), use, context);
      if (outcome !== 'allow') return result;
      // The person may have answered after the tool's timeout: by then the model was told that it failed.
      details?.signal?.throwIfAborted();
    }
    return runInside(() => tool.invoke(context, input, details));
  };
}

function guardApproval(gate: Gate, tool: Callable): Callable['needsApproval'] {
  const name = checkedName(tool);
  return async (context, input, callId = UNCALLED) => {
    const isOwn = await tool.needsApproval(context, input, callId);
    const { outcome } = await checkEarly(gate, { id: callId, tool: name, arguments: argumentsOf(input) }, isOwn);
    return isOwn || outcome === 'ask';
  };
}

/** A gated function: checks a call when approval could be requested, and again before it runs. */
export function guardFunction(gate: Gate, tool: Callable): Partial<Callable> {
  const guards = { invoke: guardInvoke(gate, tool), parameters: guardedSchema(gate.conversation, tool.parameters) };
  // With `ask`, the run must not be interrupted for an approval.
  return gate.ask === undefined ? { ...guards, needsApproval: guardApproval(gate, tool) } : guards;
}
