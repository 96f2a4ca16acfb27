import type { Decision } from '@sallyport/core';
import type { Id } from '../message/message.ts';
import { META } from '../message/meta.ts';

/** What the model is told where a tool is held back. Constant words. */
const WAITS =
  'The call was not made: the definition of this tool waits until a person accepts it. Do not repeat it. Go on with what does not depend on it, and tell the user that a tool definition is waiting.';

const CHANGED =
  'The call was not made: what it was judged by has changed while it waited for a person. Make it again if it is still needed.';

export const VERSION = 'io.modelcontextprotocol/protocolVersion';

function resultText(id: Id, isModern: boolean, text: string, said: Readonly<Record<string, string>>): string {
  const result = {
    // Since 2026 every request says its version, and every result its type.
    ...(isModern ? { resultType: 'complete' } : {}),
    content: [{ type: 'text', text }],
    isError: true,
    _meta: { [META.decision]: said },
  };
  return JSON.stringify({ jsonrpc: '2.0', id, result });
}

/** The answer in place of a call that was not made. */
export function refusalOf(id: Id, isModern: boolean, { outcome, rule, result }: Decision): string {
  return resultText(id, isModern, result, { outcome, rule });
}

/** The answer in place of a call of a tool that is held. */
export function heldOf(id: Id, isModern: boolean): string {
  return resultText(id, isModern, WAITS, { outcome: 'deny', rule: 'pinned' });
}

/** The answer in place of a call that waited until it would have been judged by something else. */
export function changedOf(id: Id, isModern: boolean): string {
  return resultText(id, isModern, CHANGED, { outcome: 'ask', rule: 'changed' });
}
