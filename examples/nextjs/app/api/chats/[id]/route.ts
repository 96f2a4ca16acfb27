import { createOpenAI } from '@ai-sdk/openai';
import { protect } from '@sallyport/ai-sdk';
import {
  convertToModelMessages,
  createUIMessageStreamResponse,
  generateId,
  isStepCount,
  streamText,
  toUIMessageStream,
  type UIMessage,
} from 'ai';
import { boundary } from '../../../../lib/boundary.ts';
import { isWaiting, loadChat, saveChat } from '../../../../lib/chats.ts';
import { currentUser } from '../../../../lib/session.ts';
import { mailTools } from '../../../../lib/tools.ts';

const openai = createOpenAI();
const INSTRUCTIONS = 'You help Ann with her mails and invoices.';

/** What the model is told about a tool that failed. The text of a refusal is a constant, and the history needs it unchanged. */
function messageOf(error: unknown): string {
  return error instanceof Error && error.name === 'CallNotAllowedError' ? error.message : 'Something failed.';
}

/** Answers a message; without one, continues after a person has answered about a held call. The history is in the database. */
export async function POST(request: Request, { params }: RouteContext<'/api/chats/[id]'>): Promise<Response> {
  const { id } = await params;
  const user = currentUser();
  const { text } = (await request.json()) as { readonly text?: unknown };
  const stored = await loadChat(id, user);
  if (isWaiting(stored)) return Response.json({ error: 'A call waits for your answer.' }, { status: 409 });
  const said: UIMessage[] =
    typeof text === 'string' ? [{ id: generateId(), role: 'user', parts: [{ type: 'text', text }] }] : [];
  const messages = [...stored, ...said];
  await saveChat(id, user, messages);

  // #region protect
  const { model, tools } = protect(boundary.conversation(id, { owner: user }), {
    model: openai.chat(process.env.MODEL ?? 'gpt-5-mini'),
    tools: mailTools,
    declare: {
      list_mails: { effect: 'read', origin: 'external' },
      pay: { effect: 'spend', modelText: ['reference'] },
      send_mail: { effect: 'send', modelText: ['subject', 'body'] },
    },
  });
  const result = streamText({
    model,
    tools,
    instructions: INSTRUCTIONS,
    messages: await convertToModelMessages(messages, { tools }),
    stopWhen: isStepCount(8),
  });
  // #endregion protect
  const stream = toUIMessageStream({
    stream: result.stream,
    originalMessages: messages,
    generateMessageId: generateId,
    onError: messageOf,
    onEnd: (ended) => saveChat(id, user, ended.messages),
  });
  return createUIMessageStreamResponse({ stream });
}
