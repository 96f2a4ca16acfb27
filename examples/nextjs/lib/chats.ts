import type { HeldCall } from '@sallyport/core';
import { isToolUIPart, type UIMessage } from 'ai';
import { held } from './boundary.ts';
import { pool, ready } from './database.ts';

/** The messages of a chat; none if it is new. Throws if it is another person's. */
export async function loadChat(id: string, user: string): Promise<UIMessage[]> {
  await ready();
  const { rows } = await pool.query<{ owner: string; messages: UIMessage[] }>(
    'SELECT owner, messages FROM chats WHERE id = $1',
    [id],
  );
  if (rows[0] !== undefined && rows[0].owner !== user) throw new Error('This chat is not yours.');
  return rows[0]?.messages ?? [];
}

export async function saveChat(id: string, user: string, messages: readonly UIMessage[]): Promise<void> {
  await pool.query(
    'INSERT INTO chats VALUES ($1, $2, $3) ON CONFLICT (id) DO UPDATE SET messages = excluded.messages',
    [id, user, JSON.stringify(messages)],
  );
}

/** Whether a call waits for a person, so that the run cannot go on. */
export function isWaiting(messages: readonly UIMessage[]): boolean {
  return messages.some(({ parts }) => parts.some((part) => isToolUIPart(part) && part.state === 'approval-requested'));
}

// #region record
/** Writes the answer into the history, where the AI SDK looks for it when the run goes on. */
export async function recordAnswer(call: HeldCall, user: string, approved: boolean): Promise<void> {
  const messages = await loadChat(call.conversation, user);
  const answered = messages.map((message) => ({
    ...message,
    parts: message.parts.map((part) =>
      isToolUIPart(part) && part.state === 'approval-requested' && part.toolCallId === call.decision.call.id
        ? { ...part, state: 'approval-responded' as const, approval: { ...part.approval, approved } }
        : part,
    ),
  }));
  await saveChat(call.conversation, user, answered as UIMessage[]);
  // The SDK itself tells the model that a call was rejected.
  if (!approved) await held.delete(call.id);
}
// #endregion record
