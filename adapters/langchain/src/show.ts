import type { Conversation } from '@sallyport/core';
import { type Fields, fieldsOf, withReadingRules } from '@sallyport/core/adapter';
import type { Framed } from '@sallyport/core/stages';
import { SystemMessage } from 'langchain';
import { plainText, roleOf, withContent } from './message.ts';
import { bareMedia } from './part.ts';
import { turnsOf } from './turns.ts';

/** The raw message of each framed one. A framed message that is sent again is rendered from the raw one, to the same bytes. */
const raws = new WeakMap<object, object>();

function shownAs<M extends object>(raw: M, content: unknown): M {
  const shown = withContent(raw, content);
  raws.set(shown, raw);
  return shown;
}

/** The parts of a result with their frames. Bytes follow their frame; an address is not sent, because it would be fetched. */
function framedParts(parts: readonly unknown[], { pieces }: Framed): readonly unknown[] {
  const isNative = parts.some((part) => String(fieldsOf(part).type).startsWith('input_'));
  return pieces.flatMap(({ text, media }, index) => {
    const { cache_control: cached } = fieldsOf(parts[index]);
    const part = {
      type: isNative ? 'input_text' : 'text',
      text,
      ...(cached === undefined ? {} : { cache_control: cached }),
    };
    return media === undefined ? [part] : [part, bareMedia(parts[index])];
  });
}

function framedContent({ content }: Fields, framed: Framed): unknown {
  return Array.isArray(content) ? framedParts(content, framed) : framed.text;
}

function ruledContent({ content }: Fields): unknown {
  if (!Array.isArray(content)) return withReadingRules(String(content));
  const at = content.findLastIndex((part) => plainText(part) !== undefined);
  const ruled = { type: 'text', ...fieldsOf(content[at]), text: withReadingRules(plainText(content[at]) ?? '') };
  return at < 0 ? [...content, ruled] : content.with(at, ruled);
}

/** Adds the reading rules to the first system message. */
function withRules<M extends object>(messages: readonly M[]): M[] {
  const at = messages.findIndex((message) => roleOf(message as Fields) === 'system');
  const system = messages[at];
  if (system === undefined) return [new SystemMessage(withReadingRules('')) as unknown as M, ...messages];
  const ruled = withContent(system, ruledContent(system as Fields));
  raws.set(ruled, raws.get(system) ?? system);
  return messages.with(at, ruled);
}

/** The messages that the model is sent. The given messages are not changed. */
export async function show<M extends object>(conversation: Conversation, given: readonly M[]): Promise<M[]> {
  const messages = given.map((message) => (raws.get(message) ?? message) as M);
  const turns = turnsOf(messages);
  const frames = await conversation.render(turns.map(({ turn }) => turn));
  const shown = [...messages];
  for (const [index, { position }] of turns.entries()) {
    const framed = frames[index];
    const raw = position === undefined ? undefined : messages[position];
    if (position !== undefined && raw !== undefined && framed !== undefined)
      shown[position] = shownAs(raw, framedContent(raw as Fields, framed));
  }
  return withRules(shown);
}
