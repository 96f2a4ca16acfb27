import { readStored } from '../turns/stored.ts';
import { argumentsOf, toolName } from '../turns/turns.ts';
import { type Context, checkRead, type Gate, judge, settle, UNCALLED } from './gate.ts';
import { runInside } from './inside.ts';
import { symbolOf } from './member.ts';

interface Details {
  readonly toolCall?: { readonly callId: string };
  /** Set where an agent as a tool goes on after an interruption. */
  readonly resumeState?: string;
  readonly signal?: AbortSignal;
}

/** What of a function tool matters here. */
export interface Callable {
  readonly name: string;
  readonly deferLoading?: boolean;
  invoke(context: Context, input: string, details?: Details): Promise<unknown>;
  needsApproval(context: Context, input: unknown, callId?: string): Promise<boolean>;
}

function namespaceOf(tool: object): unknown {
  const key = symbolOf(tool, 'functionToolNamespace');
  return key === undefined ? undefined : (tool as Record<symbol, unknown>)[key];
}

/** What a tool is called where calls are judged. */
export function judgedName(tool: Callable): string {
  return toolName(tool.name, namespaceOf(tool));
}

/** The names under which the SDK may keep the approval of a call. */
function approvalNames(tool: Callable): readonly string[] {
  const namespace = namespaceOf(tool);
  if (namespace !== undefined)
    return [toolName(tool.name, namespace), JSON.stringify(['namespaced', namespace, tool.name])];
  return tool.deferLoading === true ? [tool.name, JSON.stringify(['deferred_top_level', tool.name])] : [tool.name];
}

function guardInvoke(gate: Gate, tool: Callable): Callable['invoke'] {
  const name = judgedName(tool);
  return async (context, input, details) => {
    if (details?.resumeState !== undefined) {
      // What was read inside is not all that was: the run around it decided what the agent was told.
      checkRead(gate);
      // What goes on was admitted when it began; whatever the agent in it does now is judged by what it had read.
      await gate.conversation.render(readStored(details.resumeState));
    } else {
      const use = { id: details?.toolCall?.callId ?? UNCALLED, tool: name, arguments: argumentsOf(input) };
      const { outcome, result } = await settle(gate, approvalNames(tool), use, context);
      if (outcome !== 'allow') return result;
      // A person may have thought for longer than the tool may take: the model was told so by then.
      details?.signal?.throwIfAborted();
    }
    return runInside(() => tool.invoke(context, input, details));
  };
}

function guardApproval(gate: Gate, tool: Callable): Callable['needsApproval'] {
  const name = judgedName(tool);
  return async (context, input, callId = UNCALLED) => {
    const isOwn = await tool.needsApproval(context, input, callId);
    const { outcome } = await judge(gate, { id: callId, tool: name, arguments: argumentsOf(input) });
    return isOwn || outcome === 'ask';
  };
}

/** A function behind the gate: judged when approval could be asked for, and again when it would run. */
export function guardFunction(gate: Gate, tool: Callable): Partial<Callable> {
  const invoke = guardInvoke(gate, tool);
  // Where somebody is asked on the spot, the run is not to be interrupted for it.
  return gate.ask === undefined ? { invoke, needsApproval: guardApproval(gate, tool) } : { invoke };
}
