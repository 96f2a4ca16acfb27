import { GoogleGenAI, type GoogleGenAIOptions, type Models } from '@google/genai';
import type { Conversation } from '@sallyport/core';
import { checkGuarded } from './guard.ts';
import type { Fetch } from './send.ts';

type Params = Parameters<Models['generateContent']>[0];

/** Refuses tools without a gate where they are given to a loop. A request would show only their names. */
async function checkRun(conversation: Conversation, { config }: Params): Promise<void> {
  if (config?.httpOptions?.fetch !== undefined)
    throw new Error(
      'A request with its own `fetch` would not pass through the boundary. Pass it to protect(): client: { httpOptions: { fetch } }.',
    );
  await checkGuarded(conversation, config?.tools ?? []);
}

/** A client whose requests and loops pass through the boundary. Chats use its models. */
export function protectedClient(conversation: Conversation, options: GoogleGenAIOptions, fetch: Fetch): GoogleGenAI {
  if (options instanceof GoogleGenAI)
    throw new TypeError('`client` must be the options of a client, such as { apiKey }; received a client.');
  const client = new GoogleGenAI({ ...options, httpOptions: { ...options.httpOptions, fetch } });
  const { models, live } = client;
  const { generateContent, generateContentStream } = models;
  models.generateContent = async (params) => {
    await checkRun(conversation, params);
    return generateContent(params);
  };
  models.generateContentStream = async (params) => {
    await checkRun(conversation, params);
    return generateContentStream(params);
  };
  live.connect = () =>
    Promise.reject(new Error('The Live API does not pass through the boundary. Use a client that is not protected.'));
  return client;
}
