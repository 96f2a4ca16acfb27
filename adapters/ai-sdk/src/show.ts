import type { Conversation } from '@sallyport/core';
import { type Fields, fieldsOf, isFields, type Media, withReadingRules } from '@sallyport/core/adapter';
import type { Framed } from '@sallyport/core/stages';
import { turnsOf } from './turns.ts';

/** The bytes of a part and their type. The name is dropped, because an outsider may have chosen it. */
function bareMedia(part: unknown, media: Media): Fields {
  const { type, data } = fieldsOf(part);
  const bytes = (held: unknown): unknown => (held instanceof Uint8Array ? held : media.data);
  const isWrapped = isFields(data) && !(data instanceof Uint8Array);
  const sent = isWrapped ? { type: 'data', data: bytes(data.data) } : bytes(data);
  return { type, mediaType: media.mediaType, data: sent };
}

/** The parts of a result with their frames. Bytes follow their frame; an address is not sent, because it would be fetched. */
function framedParts(parts: readonly unknown[], { pieces }: Framed): readonly unknown[] {
  return pieces.flatMap(({ text, media }, index) => {
    const part = { type: 'text', text };
    return media === undefined ? [part] : [part, bareMedia(parts[index], media)];
  });
}

function framedOutput(output: unknown, framed: Framed): unknown {
  const { type, value, providerOptions } = fieldsOf(output);
  const kept = providerOptions === undefined ? {} : { providerOptions };
  if (type === 'content' && Array.isArray(value)) return { type, value: framedParts(value, framed), ...kept };
  const isError = type === 'error-text' || type === 'error-json';
  return { type: isError ? 'error-text' : 'text', value: framed.text, ...kept };
}

/** Adds the reading rules to the first system message. */
function withRules<M>(messages: readonly M[]): M[] {
  const at = messages.findIndex((message) => isFields(message) && message.role === 'system');
  if (at < 0) return [{ role: 'system', content: withReadingRules('') } as M, ...messages];
  return messages.map((message, index) =>
    index === at ? { ...message, content: withReadingRules(String((message as Fields).content)) } : message,
  );
}

/** The prompt that the model is sent. The given prompt is not changed. */
export async function show<M>(conversation: Conversation, prompt: readonly M[]): Promise<M[]> {
  const turns = turnsOf(prompt);
  const frames = await conversation.render(turns.map(({ turn }) => turn));
  const byPosition = new Map<string, Framed>();
  for (const [index, { position }] of turns.entries()) {
    const framed = frames[index];
    if (position !== undefined && framed !== undefined) byPosition.set(position.join(), framed);
  }
  const shown = prompt.map((message, index) => {
    const { role, content } = fieldsOf(message);
    if (role !== 'tool' || !Array.isArray(content)) return message;
    const parts = content.map((part: Fields, at) => {
      const framed = byPosition.get([index, at].join());
      return framed === undefined ? part : { ...part, output: framedOutput(part.output, framed) };
    });
    return { ...message, content: parts };
  });
  return withRules(shown);
}
