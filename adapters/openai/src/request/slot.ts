import type { Conversation, Turn } from '@sallyport/core';
import { isFields } from '@sallyport/core/adapter';
import type { Framed } from '@sallyport/core/stages';

/** One item of a request: the turns that it contains, and what is sent in its place once they are framed. */
export interface Slot {
  readonly turns: readonly Turn[];
  show(frames: readonly (Framed | undefined)[]): unknown;
}

/** An item that is read, and sent unchanged. */
export function kept(value: unknown, turns: readonly Turn[] = []): Slot {
  return { turns, show: () => value };
}

interface Shown {
  readonly framed: Framed;
  readonly item: unknown;
}

/** Items as they were sent: the same item with the same frame is the same object, written once. */
const shownItems = new WeakMap<object, Shown>();

/** An item that is replaced by its frame. A refusal by the gate has no frame, and stays. */
export function replaced(value: unknown, turn: Turn, show: (framed: Framed) => unknown): Slot {
  const showOnce = (framed: Framed): unknown => {
    if (!isFields(value)) return show(framed);
    const last = shownItems.get(value);
    const shown = last?.framed === framed ? last : { framed, item: show(framed) };
    shownItems.set(value, shown);
    return shown.item;
  };
  return { turns: [turn], show: ([framed]) => (framed === undefined ? value : showOnce(framed)) };
}

/** The items of a request that the model is sent. */
export async function showSlots(conversation: Conversation, slots: readonly Slot[]): Promise<unknown[]> {
  const frames = await conversation.render(slots.flatMap(({ turns }) => turns));
  let end = 0;
  return slots.map(({ turns, show }) => {
    const start = end;
    end += turns.length;
    return show(frames.slice(start, end));
  });
}
