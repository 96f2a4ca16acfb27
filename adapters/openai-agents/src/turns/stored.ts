import { SallyportError, type Turn } from '@sallyport/core';
import { isFields } from './part.ts';
import { turnsOf } from './turns.ts';

/** The turns of a run inside a tool, as the SDK stores it with the run around it. */
export function readStored(state: string): readonly Turn[] {
  const stored: unknown = JSON.parse(state);
  if (!isFields(stored) || !Array.isArray(stored.generatedItems))
    throw new SallyportError('ERR_INVALID_CONTENT', 'The stored run of an agent as a tool is of a form nobody knows.');
  const { originalInput, generatedItems } = stored;
  // A call that waits for approval stands there twice.
  const own = generatedItems.filter((item) => !isFields(item) || item.type !== 'tool_approval_item');
  const made = own.map((item) => (isFields(item) ? (item.rawItem ?? item) : item));
  return [...turnsOf(originalInput, 'model'), ...turnsOf(made, 'model')].flat().map(({ turn }) => turn);
}
