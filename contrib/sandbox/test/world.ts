import {
  type BoundaryEvent,
  type BoundaryOptions,
  type ClassifierV1,
  createBoundary,
  defineTool,
} from '@sallyport/core';
import type { Generate, GenerateRequest } from '@sallyport/core/adapter';
import { createSubModel, type SubModelOptions, scriptTool } from '../src/index.ts';

/** Flags text between two arrows. */
const arrows: ClassifierV1 = {
  specificationVersion: 'v1',
  id: 'arrows',
  doClassify: ({ text }) => ({
    spans: [...text.matchAll(/>>.*?<</gs)].map(({ index, 0: found }) => ({
      start: index,
      end: index + found.length,
      likelihood: 'high' as const,
      tag: 'imperative' as const,
    })),
  }),
};

export const TOOLS = {
  readMail: defineTool({ name: 'readMail', origin: 'external', effect: 'read' }),
  readSecret: defineTool({ name: 'readSecret', origin: 'workspace', confidentiality: 'secret', effect: 'read' }),
  readClock: defineTool({ name: 'readClock', trusted: true, confidentiality: 'public', effect: 'read' }),
  sendMail: defineTool({ name: 'sendMail', origin: 'workspace', effect: 'send', modelText: ['body'] }),
  order: defineTool({ name: 'order', origin: 'workspace', effect: 'spend' }),
};

/** A model that answers what it is told to, and remembers what it was asked. */
export function scripted(...answers: readonly (string | Error)[]): { generate: Generate; asked: GenerateRequest[] } {
  const asked: GenerateRequest[] = [];
  return {
    asked,
    generate: async (request) => {
      asked.push(request);
      const answer = answers[Math.min(asked.length, answers.length) - 1] ?? 'yes';
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
}

export async function talk(options: BoundaryOptions = {}) {
  const events: BoundaryEvent[] = [];
  const boundary = createBoundary({
    tools: [...Object.values(TOOLS), scriptTool()],
    classifier: arrows,
    onEvent: (event) => events.push(event),
    ...options,
  });
  const conversation = boundary.conversation('c');
  conversation.addUserMessage('Order 2 lamps and mail to me@home.example.');
  await conversation.request();
  return { boundary, conversation, events };
}

export async function subModel(generate: Generate, options: Partial<SubModelOptions> = {}) {
  const { boundary, conversation, events } = await talk();
  return { model: createSubModel({ boundary, conversation, generate, ...options }), conversation, events };
}
