import type { Conversation, Turn } from '@sallyport/core';
import type { Framed } from '@sallyport/core/stages';

/** One place of a request: the turns that stand there, and what is sent in its stead once they are framed. */
export interface Slot {
  readonly turns: readonly Turn[];
  show(frames: readonly (Framed | undefined)[]): unknown;
}

/** What is read where it stands, and sent as it is. */
export function kept(value: unknown, turns: readonly Turn[] = []): Slot {
  return { turns, show: () => value };
}

/** What is sent as its frame. A refusal of ours has none, and stays. */
export function replaced(value: unknown, turn: Turn, show: (framed: Framed) => unknown): Slot {
  return { turns: [turn], show: ([framed]) => (framed === undefined ? value : show(framed)) };
}

/** All places of a request as the model is to be shown them. */
export async function showSlots(conversation: Conversation, slots: readonly Slot[]): Promise<unknown[]> {
  const frames = await conversation.render(slots.flatMap(({ turns }) => turns));
  let end = 0;
  return slots.map(({ turns, show }) => {
    const start = end;
    end += turns.length;
    return show(frames.slice(start, end));
  });
}
