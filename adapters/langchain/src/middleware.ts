import { fieldsOf } from '@sallyport/core/adapter';
import { type AgentMiddleware, createMiddleware, type SystemMessage, ToolMessage } from 'langchain';
import { roleOf, useOf } from './message.ts';
import { checkCall, type Guard, type RunContext } from './settle.ts';
import { show } from './show.ts';

/** One user's words must not vouch for what an agent does for another user. */
function createThreadCheck(conversation: string): (runtime: unknown) => void {
  let first: unknown;
  return (runtime) => {
    const { thread_id: thread } = fieldsOf(fieldsOf(runtime).configurable);
    first ??= thread;
    if (first !== thread)
      throw new Error(
        `The conversation ${conversation} must be used for one thread; received another thread. Create one conversation, and one agent, for each thread.`,
      );
  };
}

/** The message that replaces the result of a call that was not made. */
export function refusal(id: string | undefined, name: string, content: string): ToolMessage {
  return new ToolMessage({ content, name, tool_call_id: id ?? '', status: 'error' });
}

/** The middleware of an agent. As the last of the list it is the innermost: it sees what the model is sent and what a tool receives. */
export function createGuard(guard: Guard): AgentMiddleware {
  const checkThread = createThreadCheck(guard.conversation.id);
  return createMiddleware({
    name: 'Sallyport',
    wrapModelCall: async (request, handler) => {
      checkThread(request.runtime);
      const { systemMessage, messages } = request;
      const isEmpty = systemMessage.text === '';
      const shown = await show(guard.conversation, isEmpty ? messages : [systemMessage, ...messages]);
      const [first, ...rest] = shown;
      if (first === undefined || roleOf(fieldsOf(first)) !== 'system') return handler({ ...request, messages: shown });
      return handler({ ...request, systemMessage: first as SystemMessage, messages: rest });
    },
    wrapToolCall: async (request, handler) => {
      checkThread(request.runtime);
      const { toolCall, tool, state, runtime } = request;
      const { id, name, args } = toolCall;
      // A middleware inside this one could still run something under that name.
      if (tool === undefined) return refusal(id, name, `Error: ${name} is not a valid tool.`);
      const interrupt = runtime.interrupt as RunContext['interrupt'];
      const decision = await checkCall(guard, useOf(id, name, args), { messages: state.messages, interrupt });
      return decision.outcome === 'allow' ? handler(request) : refusal(id, name, decision.result);
    },
  }) as AgentMiddleware;
}
