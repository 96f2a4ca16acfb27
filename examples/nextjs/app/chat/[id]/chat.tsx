'use client';

import { useChat } from '@ai-sdk/react';
import { DefaultChatTransport, lastAssistantMessageIsCompleteWithApprovalResponses, type UIMessage } from 'ai';
import { useEffect, useRef } from 'react';
import { Composer } from './composer.tsx';
import { HeldCalls } from './held-calls.tsx';
import { Message } from './message.tsx';
import { useChatCalls } from './use-chat-calls.ts';

/** The server has the history: it is sent what the user has written, and nothing else. */
function transportFor(id: string) {
  return new DefaultChatTransport<UIMessage>({
    api: `/api/chats/${id}`,
    prepareSendMessagesRequest: ({ messages }) => {
      const last = messages.at(-1);
      const text =
        last?.role === 'user' ? last.parts.map((part) => (part.type === 'text' ? part.text : '')).join('') : undefined;
      return { body: { text } };
    },
  });
}

/** Shows the beginning of a held call, since it is to be read; or else the end of the chat. */
function useScroll(messages: number, calls: number) {
  const list = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls when something was added
  useEffect(() => {
    const call = list.current?.querySelector('[data-sallyport="held-call"]');
    if (call) call.scrollIntoView({ block: 'start' });
    else if (messages > 0) list.current?.scrollIntoView({ block: 'end' });
  }, [messages, calls]);
  return list;
}

export function Chat({ id, stored }: { readonly id: string; readonly stored: UIMessage[] }) {
  const chat = useChat({
    id,
    messages: stored,
    transport: transportFor(id),
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
  });
  const { held, answer } = useChatCalls(id, chat);
  const isRunning = chat.status === 'submitted' || chat.status === 'streaming';
  const isWaiting = held.calls.some(({ decision }) => decision.outcome === 'ask');
  const error = chat.error ?? held.error;
  const list = useScroll(chat.messages.length, held.calls.length);
  return (
    <main>
      <header>
        <h1>Inbox assistant</h1>
        <a href="/">New chat</a>
      </header>
      <div className="messages" aria-live="polite" ref={list}>
        {chat.messages.map((message) => (
          <Message key={message.id} message={message} />
        ))}
        <HeldCalls held={held} answer={answer} isRunning={isRunning} />
        {isRunning && <p className="status">Working ...</p>}
        {error && <p className="status failed">{error.message}</p>}
      </div>
      <Composer
        isNew={chat.messages.length === 0}
        isDisabled={isRunning || isWaiting}
        hint={isWaiting ? 'Please answer above first' : undefined}
        onSend={(text) => chat.sendMessage({ text })}
      />
    </main>
  );
}
