import type { UseChatHelpers } from '@ai-sdk/react';
import type { HeldCall } from '@sallyport/core';
import { type HeldAnswer, useHeldCalls } from '@sallyport/react';
import { isToolUIPart, type UIMessage } from 'ai';
import { useEffect } from 'react';

async function read(response: Response) {
  const body = await response.json();
  if (!response.ok) throw new Error(body.error ?? 'The server failed.');
  return body;
}

/** The SDK's own request for an approval of a call, if its run has ended with one. */
function requestOf(messages: readonly UIMessage[], { decision }: HeldCall): string | undefined {
  const parts = messages.flatMap((message) => message.parts.filter(isToolUIPart));
  const part = parts.find((each) => each.state === 'approval-requested' && each.toolCallId === decision.call.id);
  return part?.approval?.id;
}

// #region hook
/** The calls of a chat that wait. After an answer the run goes on. */
export function useChatCalls(chatId: string, chat: UseChatHelpers<UIMessage>) {
  const held = useHeldCalls({
    load: () => fetch(`/api/chats/${chatId}/held`).then(read),
    settle: (id: string, answer: HeldAnswer) =>
      fetch(`/api/held/${id}`, { method: 'POST', body: JSON.stringify(answer) })
        .then(read)
        .then(({ isSettled }) => isSettled),
  });
  const { messages, status, addToolApprovalResponse, sendMessage } = chat;
  const { reload } = held;
  // biome-ignore lint/correctness/useExhaustiveDependencies: when a run ends, a call may have been held
  useEffect(() => {
    void reload();
  }, [status, reload]);

  async function answer(call: HeldCall, settle: () => Promise<boolean>, approved = true): Promise<void> {
    const request = requestOf(messages, call);
    if (!(await settle())) return;
    if (request !== undefined) await addToolApprovalResponse({ id: request, approved });
    // A denied call has ended with an error. The model makes it again if the user asks for it.
    else if (approved) await sendMessage({ text: 'I have read the warning. Make the blocked call once more.' });
  }
  return { held, answer };
}
// #endregion hook
