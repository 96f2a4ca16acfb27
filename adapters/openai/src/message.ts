import { source, type Turn } from '@sallyport/core';
import { READING_RULES, withReadingRules } from '@sallyport/core/adapter';
import { isFields } from './fields.ts';
import { partOf, wordsOf } from './part.ts';
import { replaced, type Slot } from './slot.ts';

/** What a user hands over beside his words was written by somebody else. */
const ATTACHED = source('external', { name: 'attachment' });

const NOBODY_KNOWS = source('unknown');

/** What the model may have read without any request showing it. */
export const UNSEEN: Turn = { type: 'content', source: NOBODY_KNOWS, content: '' };

/** What nobody knows yet is shown as the JSON it is, in the one form that every message may have. */
export function unknownSlot(value: unknown): Slot {
  const turn: Turn = { type: 'content', source: NOBODY_KNOWS, content: { json: value ?? null } };
  return replaced(value, turn, ({ text }) => ({ role: 'user', content: text }));
}

/** What was put into a prompt that the provider keeps. */
export function attachedTurn(value: unknown): Turn {
  return { type: 'content', source: ATTACHED, content: { json: value } };
}

function partsOf(content: unknown): readonly unknown[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  if (content === undefined || content === null) return [];
  return Array.isArray(content) ? content : [content];
}

/** What somebody says to the model, and what he hands over with it. */
export function spokenTurns(role: 'policy' | 'user', content: unknown): readonly Turn[] {
  return partsOf(content).map((part): Turn => {
    const words = wordsOf(part);
    if (words === undefined) return { type: 'content', source: ATTACHED, content: [partOf(part)] };
    return role === 'policy' ? { type: 'policy', text: words } : { type: 'user', content: words };
  });
}

function rulesBehind(content: unknown, type: 'text' | 'input_text'): unknown {
  if (typeof content === 'string') return withReadingRules(content);
  const parts = partsOf(content);
  const isThere = wordsOf(parts.at(-1))?.endsWith(READING_RULES) === true;
  return isThere ? content : [...parts, { type, text: READING_RULES }];
}

/** The reading rules go with the first message where it is the developer's, and before it where it is not: they never move. */
export function withRules(
  messages: readonly unknown[],
  type: 'text' | 'input_text',
  role: 'system' | 'developer',
): readonly unknown[] {
  const [first, ...rest] = messages;
  const isPolicy = isFields(first) && (first.role === 'system' || first.role === 'developer');
  if (!isPolicy) return [{ role, content: withReadingRules('') }, ...messages];
  return [{ ...first, content: rulesBehind(first.content, type) }, ...rest];
}
