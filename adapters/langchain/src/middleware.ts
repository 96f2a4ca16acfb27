import { effectOfName, listOf } from '@sallyport/core/adapter';
import { type AgentMiddleware, createMiddleware } from 'langchain';
import { refusal, useOf } from './message.ts';
import { guardModel } from './model.ts';
import { checkCall, type Guard, type RunContext } from './settle.ts';
import { accept, isProtected, isRunnable, offeredTool } from './tools.ts';

/** Accepts the tools that other middleware added. They need a declaration as all others do. */
function acceptAdded({ conversation, descriptions }: Guard, tools: unknown): void {
  for (const tool of listOf(tools).filter(isRunnable)) {
    if (isProtected(conversation, tool)) continue;
    if (conversation.tools.get(tool.name) === undefined)
      throw new Error(
        `The tool ${tool.name}, which middleware adds, is not declared. Declare it to the boundary: defineTool({ name: '${tool.name}', effect: '${effectOfName(tool.name)}' }).`,
      );
    descriptions.add(offeredTool(tool));
    accept(conversation, tool);
  }
}

/**
 * The middleware for tools and models that other middleware adds. As the last of the list it is the innermost: it sees the model that
 * is called and the tool that runs.
 */
export function createGuard(guard: Guard): AgentMiddleware {
  return createMiddleware({
    name: 'Sallyport',
    wrapModelCall: async (request, handler) => {
      acceptAdded(guard, request.tools);
      return handler({ ...request, model: guardModel(guard, request.model as object) as typeof request.model });
    },
    wrapToolCall: async (request, handler) => {
      const { toolCall, tool, state, runtime } = request;
      const { id, name, args } = toolCall;
      // A middleware inside this one could still run something under that name.
      if (tool === undefined) return refusal(id, name, `Error: ${name} is not a valid tool.`);
      // A tool that protect() returned checks the call itself.
      if (isProtected(guard.conversation, tool, 'guarded')) return handler(request);
      guard.checkThread(runtime);
      const interrupt = runtime.interrupt as RunContext['interrupt'];
      const decision = await checkCall(guard, useOf(id, name, args), { messages: state.messages, interrupt });
      return decision.outcome === 'allow' ? handler(request) : refusal(id, name, decision.result);
    },
  }) as AgentMiddleware;
}
