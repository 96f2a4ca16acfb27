import type { NativeToolUse } from '@sallyport/core';
import { type Context, type Gate, judge, settle } from './gate.ts';
import { type Fields, isFields } from './part.ts';

/** An answer without a word leaves the call to whoever looks at the interruption. */
interface Answer {
  readonly approve?: boolean;
  readonly reason?: string;
}

type NeedsApproval = (context: Context, action: unknown, callId?: string) => Promise<boolean>;
type OnApproval = (context: Context, item: { readonly rawItem: unknown }) => Promise<Answer>;

/** What of a shell, an editor or a computer matters here. */
export interface Actor {
  readonly type: string;
  readonly needsApproval?: boolean | NeedsApproval;
  readonly onApproval?: OnApproval;
}

/** A shell that the provider runs has no hooks of ours. */
export function isActor(tool: Fields): boolean {
  return tool.type === 'shell' ? tool.shell !== undefined : tool.type === 'apply_patch' || tool.type === 'computer';
}

function useOf({ type }: Actor, id: unknown, action: unknown): NativeToolUse {
  return { id: String(id), tool: type, arguments: type === 'computer' ? { actions: [action] } : action };
}

function guardApproval(gate: Gate, tool: Actor): NeedsApproval {
  const { needsApproval: own } = tool;
  return async (context, action, callId) => {
    const isOwn = typeof own === 'function' ? await own(context, action, callId) : own === true;
    const use = useOf(tool, callId, action);
    // A computer has no hook in which a call could be turned down: a person decides on all that is not allowed.
    const { outcome } = tool.type === 'computer' ? await settle(gate, [], use, context) : await judge(gate, use);
    return isOwn || outcome !== 'allow';
  };
}

/** Turns a call down that may not be made, with a text the model can go on from. */
function guardAnswer(gate: Gate, tool: Actor): OnApproval {
  return async (context, item) => {
    const raw = isFields(item.rawItem) ? item.rawItem : {};
    const use = useOf(tool, raw.callId, raw.action ?? raw.operation);
    const held = await judge(gate, use);
    const { outcome, result } = held.outcome === 'ask' ? await settle(gate, [], use, context) : held;
    if (outcome === 'deny') return { approve: false, reason: result };
    if (outcome === 'allow' && held.outcome === 'ask') return { approve: true };
    return (await tool.onApproval?.(context, item)) ?? {};
  };
}

/** A tool that acts on this machine by its own kind of calls: the SDK has no seam at which it runs, only its approval. */
export function guardActor(gate: Gate, tool: Actor): Partial<Actor> {
  const needsApproval = guardApproval(gate, tool);
  return tool.type === 'computer' ? { needsApproval } : { needsApproval, onApproval: guardAnswer(gate, tool) };
}
