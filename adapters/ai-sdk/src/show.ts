import type { Conversation } from '@sallyport/core';
import { withReadingRules } from '@sallyport/core/adapter';
import type { Framed } from '@sallyport/core/stages';
import { type Fields, isFields } from './part.ts';
import { turnsOf } from './turns.ts';

/** The bytes of a part and what they are, without a name that somebody chose. */
function bareMedia(part: unknown): Fields {
  const { type, mediaType, data } = part as Fields;
  return { type, mediaType, data };
}

/** The parts of a result with their envelopes. Bytes go beside their envelope; an address does not go on to be fetched. */
function framedParts(parts: readonly unknown[], { pieces }: Framed): readonly unknown[] {
  return pieces.flatMap(({ text, media }, index) => {
    const part = { type: 'text', text };
    return media === undefined ? [part] : [part, bareMedia(parts[index])];
  });
}

function framedOutput(output: unknown, framed: Framed): unknown {
  const { type, value, providerOptions } = isFields(output) ? output : ({} as Fields);
  const kept = providerOptions === undefined ? {} : { providerOptions };
  if (type === 'content' && Array.isArray(value)) return { type, value: framedParts(value, framed), ...kept };
  const isError = type === 'error-text' || type === 'error-json';
  return { type: isError ? 'error-text' : 'text', value: framed.text, ...kept };
}

/** The reading rules go with the first system message. */
function withRules<M>(messages: readonly M[]): M[] {
  const at = messages.findIndex((message) => isFields(message) && message.role === 'system');
  if (at < 0) return [{ role: 'system', content: withReadingRules('') } as M, ...messages];
  return messages.map((message, index) =>
    index === at ? { ...message, content: withReadingRules(String((message as Fields).content)) } : message,
  );
}

/** A prompt as the model is to be shown it. The one that was given stays as it is. */
export async function show<M>(conversation: Conversation, prompt: readonly M[]): Promise<M[]> {
  const placed = turnsOf(prompt);
  const frames = await conversation.render(placed.map(({ turn }) => turn));
  const byPlace = new Map<string, Framed>();
  for (const [index, { place }] of placed.entries()) {
    const framed = frames[index];
    if (place !== undefined && framed !== undefined) byPlace.set(place.join(), framed);
  }
  const shown = prompt.map((message, index) => {
    const { role, content } = isFields(message) ? message : ({} as Fields);
    if (role !== 'tool' || !Array.isArray(content)) return message;
    const parts = content.map((part: Fields, at) => {
      const framed = byPlace.get([index, at].join());
      return framed === undefined ? part : { ...part, output: framedOutput(part.output, framed) };
    });
    return { ...message, content: parts };
  });
  return withRules(shown);
}
