import { SallyportError, type Turn } from '@sallyport/core';
import { isFields } from '@sallyport/core/adapter';
import { parseJson } from '@sallyport/core/json';
import { turnsOf } from './turns.ts';

/** The turns of a run inside a tool, as the SDK stores it within the outer run. */
export function readStored(state: string): readonly Turn[] {
  const stored: unknown = parseJson(state);
  if (!isFields(stored) || !Array.isArray(stored.generatedItems))
    throw new SallyportError(
      'ERR_INVALID_CONTENT',
      'The stored run of an agent as a tool must have a list `generatedItems`; received another form.',
    );
  const { originalInput, generatedItems } = stored;
  // A call that waits for approval occurs twice.
  const own = generatedItems.filter((item) => !isFields(item) || item.type !== 'tool_approval_item');
  const made = own.map((item) => (isFields(item) ? (item.rawItem ?? item) : item));
  return [...turnsOf(originalInput, 'model'), ...turnsOf(made, 'model')].flat().map(({ turn }) => turn);
}
