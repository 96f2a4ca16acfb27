import { source, type Turn } from '@sallyport/core';
import { isFields, READING_RULES, withReadingRules } from '@sallyport/core/adapter';
import { partOf, wordsOf } from './part.ts';
import { replaced, type Slot } from './slot.ts';

/** Files that the user attaches were written by others. */
const ATTACHED = source('external', { name: 'attachment' });

const UNKNOWN = source('unknown');

/** Content that the model may have read although no request contains it. */
export const UNSEEN: Turn = { type: 'content', source: UNKNOWN, content: '' };

/** An item of an unknown type becomes JSON in a user message, the one form that every endpoint accepts. */
export function unknownSlot(value: unknown): Slot {
  const turn: Turn = { type: 'content', source: UNKNOWN, content: { json: value ?? null } };
  return replaced(value, turn, ({ text }) => ({ role: 'user', content: text }));
}

/** The variables of a prompt that the provider stores. */
export function attachedTurn(value: unknown): Turn {
  return { type: 'content', source: ATTACHED, content: { json: value } };
}

function partsOf(content: unknown): readonly unknown[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  if (content === undefined || content === null) return [];
  return Array.isArray(content) ? content : [content];
}

/** The turns of a message: its words, and the files attached to it. */
export function spokenTurns(role: 'policy' | 'user', content: unknown): readonly Turn[] {
  return partsOf(content).map((part): Turn => {
    const words = wordsOf(part);
    if (words === undefined) return { type: 'content', source: ATTACHED, content: [partOf(part)] };
    return role === 'policy' ? { type: 'policy', text: words } : { type: 'user', content: words };
  });
}

/** The turn of a message of the model, if it says something. */
export function modelTurns(content: unknown): readonly Turn[] {
  return partsOf(content).length === 0 ? [] : [{ type: 'model' }];
}

function contentWithRules(content: unknown, type: 'text' | 'input_text'): unknown {
  if (typeof content === 'string') return withReadingRules(content);
  const parts = partsOf(content);
  const hasRules = wordsOf(parts.at(-1))?.endsWith(READING_RULES) === true;
  return hasRules ? content : [...parts, { type, text: READING_RULES }];
}

/** Appends the reading rules to the first message if it is the developer's, or inserts them before it: their position never changes. */
export function withRules(
  messages: readonly unknown[],
  type: 'text' | 'input_text',
  role: 'system' | 'developer',
): readonly unknown[] {
  const [first, ...rest] = messages;
  const isPolicy = isFields(first) && (first.role === 'system' || first.role === 'developer');
  if (!isPolicy) return [{ role, content: withReadingRules('') }, ...messages];
  return [{ ...first, content: contentWithRules(first.content, type) }, ...rest];
}
