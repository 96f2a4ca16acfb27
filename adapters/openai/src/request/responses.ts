import type { Conversation, Turn } from '@sallyport/core';
import { type Fields, isFields, withReadingRules } from '@sallyport/core/adapter';
import { isOffered, slotsOf } from './items.ts';
import { attachedTurn, UNSEEN, withRules } from './message.ts';
import { kept, showSlots } from './slot.ts';

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function itemsOf(input: unknown): readonly unknown[] {
  if (typeof input === 'string') return [{ role: 'user', content: input }];
  if (isGiven(input) && !Array.isArray(input))
    throw new Error(`\`input\` must be a string or a list; received ${typeof input}.`);
  return Array.isArray(input) ? input : [];
}

/** The provider stores a history that this process has not seen, neither in a request nor in a snapshot. */
function isUnknownHistory({ hasRendered, records }: Conversation, body: Fields): boolean {
  return !hasRendered && records.length === 0 && (isGiven(body.previous_response_id) || isGiven(body.conversation));
}

function* headTurns(conversation: Conversation, body: Fields): Generator<Turn> {
  const { instructions, prompt } = body;
  if (typeof instructions === 'string') yield { type: 'policy', text: instructions };
  if (isFields(prompt) && isFields(prompt.variables)) yield attachedTurn(prompt.variables);
  if (isUnknownHistory(conversation, body)) yield UNSEEN;
}

async function shownItems(conversation: Conversation, body: Fields): Promise<readonly unknown[]> {
  if (isOffered(body.tools)) conversation.declareUnseen();
  const head = kept(undefined, [...headTurns(conversation, body)]);
  const [, ...shown] = await showSlots(conversation, [head, ...slotsOf(itemsOf(body.input))]);
  return shown;
}

/** Records results of tools that the provider ran in the answer to a request. */
export async function recordProvided(
  conversation: Conversation,
  body: Fields,
  items: readonly Fields[],
): Promise<void> {
  await shownItems(conversation, { ...body, input: [...itemsOf(body.input), ...items] });
}

/** The body of a responses request that the model is sent. The given body is not changed. */
export async function showResponses(conversation: Conversation, body: Fields): Promise<Fields> {
  const { instructions, input, prompt } = body;
  const shown = await shownItems(conversation, body);
  // Instructions in the request would replace those of a prompt that the provider stores.
  const isOwn = typeof instructions === 'string' || !(isGiven(instructions) || isGiven(prompt));
  if (!isOwn) return { ...body, input: withRules(shown, 'input_text', 'developer') };
  const framed = Array.isArray(input) ? { input: shown } : {};
  return { ...body, ...framed, instructions: withReadingRules(String(instructions ?? '')) };
}

/** The body of a decisions request. It has no instructions. */
export async function showDecisions(conversation: Conversation, body: Fields): Promise<Fields> {
  return { ...body, input: withRules(await shownItems(conversation, body), 'input_text', 'developer') };
}

/** The body of a request that adds items to a conversation stored by the provider. */
export async function showItems(conversation: Conversation, body: Fields): Promise<Fields> {
  const { items } = body;
  const shown = await showSlots(conversation, slotsOf(itemsOf(items)));
  return isGiven(items) ? { ...body, items: shown } : body;
}
