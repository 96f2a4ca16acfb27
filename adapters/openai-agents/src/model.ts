import type { Model, ModelProvider, ModelRequest } from '@openai/agents';
import type { Conversation } from '@sallyport/core';
import { currentSpeaker } from './tools/inside.ts';
import { checkGuarded } from './tools/passed.ts';
import { readRequest, show } from './turns/show.ts';
import { turnsOf } from './turns/turns.ts';

/** Records the results of provider tools in an answer. The model read them before it made the calls that follow. */
async function recordAnswer(conversation: Conversation, request: ModelRequest, output: unknown): Promise<void> {
  const answered = turnsOf(output, 'model').flat();
  if (answered.every(({ turn }) => turn.type === 'call')) return;
  await conversation.render([...readRequest(request, currentSpeaker()), ...answered.map(({ turn }) => turn)]);
}

/** The same model. Frames tool results in what it is sent. */
export function frameModel(conversation: Conversation, inner: Model): Model {
  const { getRetryAdvice } = inner;
  return {
    get supportsPromptModelSelection() {
      return inner.supportsPromptModelSelection === true;
    },
    async getResponse(request) {
      const response = await inner.getResponse(await show(conversation, request, currentSpeaker()));
      await recordAnswer(conversation, request, response.output);
      checkGuarded(conversation, request, response.output);
      return response;
    },
    async *getStreamedResponse(request) {
      const shown = await show(conversation, request, currentSpeaker());
      for await (const event of inner.getStreamedResponse(shown)) {
        if (event.type === 'response_done') {
          await recordAnswer(conversation, request, event.response.output);
          checkGuarded(conversation, request, event.response.output);
        }
        yield event;
      }
    },
    ...(getRetryAdvice === undefined ? {} : { getRetryAdvice: (failed) => getRetryAdvice.call(inner, failed) }),
  };
}

/** The same provider. All its models are framed. */
export function frameProvider(conversation: Conversation, inner: ModelProvider): ModelProvider {
  return { getModel: async (name) => frameModel(conversation, await inner.getModel(name)) };
}
