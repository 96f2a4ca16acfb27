import type { Model, ModelProvider, ModelRequest } from '@openai/agents';
import type { Conversation } from '@sallyport/core';
import type { LatestModel, ToolDescriptions } from '@sallyport/core/adapter';
import { SanitizedEvents, sanitized } from './output.ts';
import { currentSpeaker } from './tools/inside.ts';
import { checkActions, checkOffered, declinedIn, isProvided, recordActions } from './tools/offered.ts';
import { readRequest, show } from './turns/show.ts';
import { toolName, turnsOf } from './turns/turns.ts';

/** The parts that protect a model. */
export interface Seam {
  readonly conversation: Conversation;
  readonly latest: LatestModel<Model>;
  /** The descriptions that servers give of their tools. */
  readonly descriptions: ToolDescriptions;
  readonly rawOutput: boolean;
}

async function shownRequest(seam: Seam, inner: Model, request: ModelRequest): Promise<ModelRequest> {
  const { conversation, latest, descriptions } = seam;
  latest.record(inner);
  checkOffered(conversation, request);
  checkActions(conversation, request);
  if (request.tools.some(isProvided)) conversation.declareUnseen();
  for (const id of declinedIn(conversation, request)) await conversation.decline(id);
  const shown = await show(conversation, request, currentSpeaker());
  const tools = await descriptions.shown(request.tools, ({ name, namespace }) => toolName(String(name), namespace));
  return { ...shown, tools };
}

/** Records the results of provider tools in an answer. The model read them before it made the calls that follow. */
async function recordAnswer({ conversation }: Seam, request: ModelRequest, output: unknown): Promise<void> {
  recordActions(conversation, output);
  const answered = turnsOf(output, 'model').flat();
  if (answered.every(({ turn }) => turn.type === 'call')) return;
  await conversation.render([...readRequest(request, currentSpeaker()), ...answered.map(({ turn }) => turn)]);
}

/** The same model. It is sent frames in place of tool results, and its answers can be shown. */
export function protectModel(seam: Seam, inner: Model): Model {
  const { conversation, rawOutput } = seam;
  const { getRetryAdvice } = inner;
  return {
    get supportsPromptModelSelection() {
      return inner.supportsPromptModelSelection === true;
    },
    async getResponse(request) {
      const response = await inner.getResponse(await shownRequest(seam, inner, request));
      await recordAnswer(seam, request, response.output);
      return rawOutput ? response : sanitized(conversation, { ...response });
    },
    async *getStreamedResponse(request) {
      const shown = await shownRequest(seam, inner, request);
      const events = rawOutput ? undefined : new SanitizedEvents(conversation);
      for await (const event of inner.getStreamedResponse(shown)) {
        if (event.type === 'response_done') await recordAnswer(seam, request, event.response.output);
        yield* events?.read(event) ?? [event];
      }
      yield* events?.end() ?? [];
    },
    ...(getRetryAdvice === undefined ? {} : { getRetryAdvice: (failed) => getRetryAdvice.call(inner, failed) }),
  };
}

/** The same provider. All its models are protected. */
export function protectProvider(seam: Seam, inner: ModelProvider): ModelProvider {
  return { getModel: async (name) => protectModel(seam, await inner.getModel(name)) };
}
