import { type AgentMiddleware, createMiddleware, type SystemMessage, ToolMessage } from 'langchain';
import { fieldsOf, roleOf, useOf } from './message.ts';
import { type Guard, type Surroundings, settle } from './settle.ts';
import { show } from './show.ts';

/** The words of one user must not stand for what an agent does for another. */
function createThreadCheck(conversation: string): (runtime: unknown) => void {
  let known: unknown;
  return (runtime) => {
    const { thread_id: thread } = fieldsOf(fieldsOf(runtime).configurable);
    known ??= thread;
    if (known !== thread)
      throw new Error(
        `The boundary of conversation ${conversation} has seen another thread: make one conversation, and one agent, for each thread.`,
      );
  };
}

/** The text that stands in place of a result. */
export function refusal(id: string | undefined, name: string, content: string): ToolMessage {
  return new ToolMessage({ content, name, tool_call_id: id ?? '', status: 'error' });
}

/** Both seams of an agent. As the last in the list it is the innermost: it sees what the model is sent and what a tool is given. */
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
      // A middleware behind this one could still run something under that name.
      if (tool === undefined) return refusal(id, name, `Error: ${name} is not a valid tool.`);
      const interrupt = runtime.interrupt as Surroundings['interrupt'];
      const decision = await settle(guard, useOf(id, name, args), { messages: state.messages, interrupt });
      return decision.outcome === 'allow' ? handler(request) : refusal(id, name, decision.result);
    },
  }) as AgentMiddleware;
}
