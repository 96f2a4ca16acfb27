import type { ToolCall } from '@sallyport/core';
import { type Fields, isFields } from '../turns/part.ts';
import { type Context, type Gate, judge, settle } from './gate.ts';
import { guardPerformer, noteId, type Performer } from './perform.ts';

/** An answer without a word leaves the call to whoever looks at the interruption. */
interface Answer {
  readonly approve?: boolean;
  readonly reason?: string;
}

type NeedsApproval = (context: Context, action: unknown, callId?: string) => Promise<boolean>;
type OnApproval = (context: Context, item: { readonly rawItem: unknown }) => Promise<Answer>;

/** What of a shell, an editor or a computer matters here. */
export interface Actor extends Performer {
  readonly type: string;
  readonly needsApproval?: boolean | NeedsApproval;
  readonly onApproval?: OnApproval;
}

/** A shell that the provider runs has no hooks of ours. */
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
    noteId(action, callId);
    const { outcome } = await judge(gate, use);
    if (tool.type !== 'computer') return isOwn || outcome !== 'allow';
    // A computer has no hook in which a call could be turned down: nobody is asked about what it will not do, and where a person
    // is asked on the spot and declines, the run ends with an interruption.
    return isOwn || (outcome === 'ask' && (await settle(gate, [], use, context)).outcome !== 'allow');
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

/** A tool that acts on this machine by its own kind of calls: judged when approval could be asked for, and again where it acts. */
export function guardActor(gate: Gate, tool: Actor): Partial<Actor> {
  const guards = { needsApproval: guardApproval(gate, tool), ...guardPerformer(gate, tool) };
  return tool.type === 'computer' ? guards : { ...guards, onApproval: guardAnswer(gate, tool) };
}
