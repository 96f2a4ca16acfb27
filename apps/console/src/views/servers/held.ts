import type { HeldPin } from '../../api/types.ts';

type Definition = Readonly<Record<string, unknown>>;

/** A held definition, as the gateway sends it. The document leaves it open, because servers wrote most of it. */
export type Held =
  | { readonly type: 'changed'; readonly tool: string; readonly before: Definition; readonly after: Definition }
  | { readonly type: 'confusable'; readonly tool: string; readonly with: string; readonly after: Definition }
  | { readonly type: 'shadowed'; readonly tool: string; readonly server: string; readonly after: Definition }
  | { readonly type: 'unreadable'; readonly tool: string; readonly reason: string }
  | { readonly type: 'flagged'; readonly tool: string; readonly after: Definition }
  | { readonly type: 'instructions'; readonly before: string; readonly after: string };

export function heldOf({ held }: HeldPin): Held {
  return held as unknown as Held;
}

/** Why it waits, for a person. */
export function whyHeld(held: Held): string {
  switch (held.type) {
    case 'changed':
      return 'The server changed this definition after it was first seen. Until you accept it, calls are refused.';
    case 'confusable':
      return `Its name can be mistaken for the tool ${held.with}.`;
    case 'shadowed':
      return `The server ${held.server} has a tool of the same name.`;
    case 'unreadable':
      return held.reason;
    case 'flagged':
      return 'Its description may address the model. Agents see it in a frame, and may call it.';
    case 'instructions':
      return 'The server changed its instructions to the model after they were first seen.';
  }
}

const textOf = (definition: Definition): string => JSON.stringify(definition, null, 2);

/** The texts to compare; undefined if there is nothing to show. */
export function textsOf(held: Held): { readonly before: string; readonly after: string } | undefined {
  if (held.type === 'unreadable') return undefined;
  if (held.type === 'instructions') return { before: held.before, after: held.after };
  return { before: held.type === 'changed' ? textOf(held.before) : '', after: textOf(held.after) };
}
