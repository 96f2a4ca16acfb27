import { finishedText, type Generate, platformSignal } from '@sallyport/core/adapter';
import type { OpenAI } from 'openai';
import { type CompletionsClient, generateWith } from './generate.ts';

interface OwnClient extends CompletionsClient {
  readonly responses: Pick<OpenAI['responses'], 'create'>;
}

/** The model of a request, and whether it was a request of the Responses API. */
export interface OwnModel {
  readonly name: string;
  readonly isResponses: boolean;
}

/** Asks through the Responses API, which some models need. Nothing is stored. */
function generateWithResponses(client: OwnClient, model: string): Generate {
  return async ({ system, content, signal }) => {
    const { status, output_text: text } = await client.responses.create(
      { model, instructions: system, input: content, store: false },
      signal && { signal: platformSignal<AbortSignal>(signal) },
    );
    return finishedText(text, status === undefined || status === 'completed');
  };
}

/** Asks the agent's own model through the same API. */
export function generateWithOwn(client: unknown, { name, isResponses }: OwnModel): Generate {
  const own = client as OwnClient;
  return isResponses ? generateWithResponses(own, name) : generateWith(own, name);
}
