import type { ToolCall } from '@sallyport/core';
import { type Fields, fieldsOf } from '@sallyport/core/adapter';
import { type Context, check, checkEarly, checkWithApproval, type Gate } from './gate.ts';
import { guardPerformer, type Performer, recordId } from './perform.ts';

/** An empty answer leaves the decision to the person who handles the interruption. */
interface Answer {
  readonly approve?: boolean;
  readonly reason?: string;
}

type NeedsApproval = (context: Context, action: unknown, callId?: string) => Promise<boolean>;
type OnApproval = (context: Context, item: { readonly rawItem: unknown }) => Promise<Answer>;

/** The relevant members of a shell, an editor or a computer. */
export interface Actor extends Performer {
  readonly type: string;
  readonly needsApproval?: boolean | NeedsApproval;
  readonly onApproval?: OnApproval;
}

/** Recognizes a tool that acts on this machine. A shell that the provider runs has no hooks. */
export function isActor(tool: Fields): boolean {
  return tool.type === 'shell' ? tool.shell !== undefined : tool.type === 'apply_patch' || tool.type === 'computer';
}

function useOf({ type }: Actor, id: unknown, action: unknown): ToolCall {
  return { id: String(id), tool: type, arguments: type === 'computer' ? { actions: [action] } : action };
}

function guardApproval(gate: Gate, tool: Actor): NeedsApproval {
  const { needsApproval: own } = tool;
  return async (context, action, callId) => {
    const isOwn = typeof own === 'function' ? await own(context, action, callId) : own === true;
    const use = useOf(tool, callId, action);
    recordId(action, callId);
    const { outcome } = await checkEarly(gate, use, isOwn);
    if (tool.type !== 'computer') return isOwn || outcome !== 'allow';
    // A computer has no hook that could decline a call: no person is asked about a denied one, and if `ask` declines a call, the
    // run ends with an interruption.
    return isOwn || (outcome === 'ask' && (await checkWithApproval(gate, [], use, context)).outcome !== 'allow');
  };
}

/** Declines a call that is not allowed, with a text from which the model can continue. */
function guardAnswer(gate: Gate, tool: Actor): OnApproval {
  return async (context, item) => {
    const raw = fieldsOf(item.rawItem);
    const use = useOf(tool, raw.callId, raw.action ?? raw.operation);
    const held = await check(gate, use);
    const { outcome, result } = held.outcome === 'ask' ? await checkWithApproval(gate, [], use, context) : held;
    if (outcome === 'deny') return { approve: false, reason: result };
    if (outcome === 'allow' && held.outcome === 'ask') return { approve: true };
    return (await tool.onApproval?.(context, item)) ?? {};
  };
}

/** A gated shell, editor or computer: checks a call when approval could be requested, and again when it acts. */
export function guardActor(gate: Gate, tool: Actor): Partial<Actor> {
  const guards = { needsApproval: guardApproval(gate, tool), ...guardPerformer(gate, tool) };
  return tool.type === 'computer' ? guards : { ...guards, onApproval: guardAnswer(gate, tool) };
}
