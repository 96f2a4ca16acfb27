import type { Conversation, Turn } from '@sallyport/core';
import { withReadingRules } from '@sallyport/core/adapter';
import { type Fields, isFields } from './fields.ts';
import { offeredTurns, slotsOf } from './items.ts';
import { attachedTurn, UNSEEN, withRules } from './message.ts';
import { kept, showSlots } from './slot.ts';

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function itemsOf(input: unknown): readonly unknown[] {
  if (typeof input === 'string') return [{ role: 'user', content: input }];
  if (isGiven(input) && !Array.isArray(input))
    throw new Error('An input that is neither text nor a list cannot be framed.');
  return Array.isArray(input) ? input : [];
}

/** The provider holds a history of which this process knows nothing: neither a request nor a snapshot has shown it. */
function isUnknownHistory({ hasRendered, records }: Conversation, body: Fields): boolean {
  return !hasRendered && records.length === 0 && (isGiven(body.previous_response_id) || isGiven(body.conversation));
}

function* headTurns(conversation: Conversation, body: Fields): Generator<Turn> {
  const { instructions, prompt, tools } = body;
  if (typeof instructions === 'string') yield { type: 'policy', text: instructions };
  if (isFields(prompt) && isFields(prompt.variables)) yield attachedTurn(prompt.variables);
  yield* offeredTurns(tools);
  if (isUnknownHistory(conversation, body)) yield UNSEEN;
}

async function shownItems(conversation: Conversation, body: Fields): Promise<readonly unknown[]> {
  const head = kept(undefined, [...headTurns(conversation, body)]);
  const [, ...shown] = await showSlots(conversation, [head, ...slotsOf(itemsOf(body.input))]);
  return shown;
}

/** A request of responses, with its items as the model is to be shown them. The one that was given stays as it is. */
export async function showResponses(conversation: Conversation, body: Fields): Promise<Fields> {
  const { instructions, input, prompt } = body;
  const shown = await shownItems(conversation, body);
  // Instructions of the request would stand in place of those that a prompt kept by the provider has.
  const isOwn = typeof instructions === 'string' || !(isGiven(instructions) || isGiven(prompt));
  if (!isOwn) return { ...body, input: withRules(shown, 'input_text', 'developer') };
  const framed = Array.isArray(input) ? { input: shown } : {};
  return { ...body, ...framed, instructions: withReadingRules(String(instructions ?? '')) };
}

/** A request for decisions about an input. It knows no instructions. */
export async function showDecisions(conversation: Conversation, body: Fields): Promise<Fields> {
  return { ...body, input: withRules(await shownItems(conversation, body), 'input_text', 'developer') };
}

/** Items that the provider is to keep for later requests. */
export async function showItems(conversation: Conversation, body: Fields): Promise<Fields> {
  const { items } = body;
  const shown = await showSlots(conversation, slotsOf(itemsOf(items)));
  return isGiven(items) ? { ...body, items: shown } : body;
}
