import type { Decision } from '@sallyport/core';
import type { Id } from '../message/message.ts';
import { META } from '../message/meta.ts';
import type { HeldAs } from '../state/journal.ts';

/** The text that the model reads if the tool's definition is held. Constant. */
const WAITS =
  'The call was not made: the definition of this tool waits until a person accepts it. Do not repeat it. Go on with what does not depend on it, and tell the user that a tool definition is waiting.';

/** The same if a person has rejected the definition. */
const REJECTED =
  'The call was not made: the server has changed the definition of this tool, and a person has rejected the change. Do not repeat it. Go on with what does not depend on it, and tell the user that the tool is blocked until its server offers the accepted definition again.';

const CHANGED =
  'The call was not made: what it was judged by has changed while it waited for a person. Make it again if it is still needed.';

export const VERSION = 'io.modelcontextprotocol/protocolVersion';

function resultText(
  id: Id,
  isModern: boolean,
  texts: readonly string[],
  meta: Readonly<Record<string, string>>,
): string {
  const result = {
    // Since protocol version 2026 each request has a version and each result a type.
    ...(isModern ? { resultType: 'complete' } : {}),
    content: texts.map((text) => ({ type: 'text', text })),
    isError: true,
    _meta: { [META.decision]: meta },
  };
  return JSON.stringify({ jsonrpc: '2.0', id, result });
}

/**
 * The answer to a call that the gate refused. The note is a separate text, since the gate's text is recognised by its
 * words.
 */
export function refusalOf(id: Id, isModern: boolean, { outcome, rule, result }: Decision, note?: string): string {
  return resultText(id, isModern, note === undefined ? [result] : [result, note], { outcome, rule });
}

/** The answer to a call of a tool whose definition is held. */
export function heldOf(id: Id, isModern: boolean, heldAs: HeldAs, note?: string): string {
  const text = heldAs === 'rejected' ? REJECTED : WAITS;
  return resultText(id, isModern, note === undefined ? [text] : [text, note], { outcome: 'deny', rule: 'pinned' });
}

/** The answer to a call whose policy changed while it waited for a person. */
export function changedOf(id: Id, isModern: boolean): string {
  return resultText(id, isModern, [CHANGED], { outcome: 'ask', rule: 'changed' });
}
