import type { Model, ModelProvider, ModelRequest } from '@openai/agents';
import type { Conversation } from '@sallyport/core';
import { currentSpeaker } from './tools/inside.ts';
import { checkPassed } from './tools/passed.ts';
import { readRequest, show } from './turns/show.ts';
import { turnsOf } from './turns/turns.ts';

/** What the provider ran while it answered was read before the calls behind it were made: it is taken in before they are. */
async function takeIn(conversation: Conversation, request: ModelRequest, output: unknown): Promise<void> {
  const answered = turnsOf(output, 'model').flat();
  if (answered.every(({ turn }) => turn.type === 'call')) return;
  await conversation.render([...readRequest(request, currentSpeaker()), ...answered.map(({ turn }) => turn)]);
}

/** The same model, which is shown frames where tools have answered. */
export function frameModel(conversation: Conversation, inner: Model): Model {
  const { getRetryAdvice } = inner;
  return {
    get supportsPromptModelSelection() {
      return inner.supportsPromptModelSelection === true;
    },
    async getResponse(request) {
      const response = await inner.getResponse(await show(conversation, request, currentSpeaker()));
      await takeIn(conversation, request, response.output);
      checkPassed(conversation, request, response.output);
      return response;
    },
    async *getStreamedResponse(request) {
      const shown = await show(conversation, request, currentSpeaker());
      for await (const event of inner.getStreamedResponse(shown)) {
        if (event.type === 'response_done') {
          await takeIn(conversation, request, event.response.output);
          checkPassed(conversation, request, event.response.output);
        }
        yield event;
      }
    },
    ...(getRetryAdvice === undefined ? {} : { getRetryAdvice: (failed) => getRetryAdvice.call(inner, failed) }),
  };
}

/** The same provider, whose models are all shown frames. */
export function frameProvider(conversation: Conversation, inner: ModelProvider): ModelProvider {
  return { getModel: async (name) => frameModel(conversation, await inner.getModel(name)) };
}
