import type { Conversation } from '@sallyport/core';
import { type Fields, fieldsOf, isFields, type Media, withReadingRules } from '@sallyport/core/adapter';
import type { Framed } from '@sallyport/core/stages';
import { Developer } from './developer.ts';
import { type Position, turnsOf } from './turns.ts';
import { voicesOf } from './voices.ts';

interface Edit {
  readonly position: Position;
  readonly framed: Framed;
}

/** The bytes of a part and their type. The name and all other members are dropped, because an outsider may have chosen them. */
function bareMedia(part: unknown, media: Media): Fields {
  const { type, data } = part as Fields;
  const bytes = (held: unknown): unknown => (held instanceof Uint8Array ? held : media.data);
  const isWrapped = isFields(data) && !(data instanceof Uint8Array);
  return {
    type,
    mediaType: media.mediaType,
    data: isWrapped ? { type: 'data', data: bytes(data.data) } : bytes(data),
  };
}

/** Parts with their frames. Bytes follow their frame; an address is not sent, because it would be fetched. */
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

function splicedText(text: string, edits: readonly Edit[]): string {
  return edits.reduceRight((shown, { position: { range }, framed }) => {
    const [start, end] = range ?? [0, 0];
    return shown.slice(0, start) + framed.text + shown.slice(end);
  }, text);
}

function shownParts(part: unknown, edit: Edit | undefined): readonly unknown[] {
  if (edit === undefined) return [part];
  const fields = fieldsOf(part);
  if (edit.position.range !== undefined) return [{ ...fields, text: splicedText(String(fields.text), [edit]) }];
  if (fields.type === 'tool-result') return [{ ...fields, output: framedOutput(fields.output, edit.framed) }];
  return framedParts([part], edit.framed);
}

function shownMessage<M>(message: M, edits: readonly Edit[]): M {
  const { content } = message as Fields;
  if (!Array.isArray(content)) return { ...message, content: splicedText(String(content), edits) };
  const byPart = new Map(edits.map((edit) => [edit.position.part, edit]));
  return { ...message, content: content.flatMap((part, index) => shownParts(part, byPart.get(index))) };
}

/** Adds the reading rules to the first system message. */
function withRules<M>(messages: readonly M[]): M[] {
  const at = messages.findIndex((message) => isFields(message) && message.role === 'system');
  if (at < 0) return [{ role: 'system', content: withReadingRules('') } as M, ...messages];
  return messages.map((message, index) =>
    index === at ? { ...message, content: withReadingRules(String((message as Fields).content)) } : message,
  );
}

// The original of each message that was sent: a prompt that is sent twice is framed once.
const originals = new WeakMap<object, unknown>();

function originalOf<M>(message: M): M {
  return isFields(message) ? ((originals.get(message) as M) ?? message) : message;
}

/** The prompt that the model is sent. The given prompt is not changed. */
export async function show<M>(
  conversation: Conversation,
  given: readonly M[],
  list?: unknown,
  developer: Developer = new Developer(),
): Promise<M[]> {
  const prompt = given.map(originalOf);
  const turns = turnsOf(prompt, voicesOf(list, developer.textsIn(prompt, list)));
  const frames = await conversation.render(turns.map(({ turn }) => turn));
  const edits = new Map<number, Edit[]>();
  for (const [index, { position }] of turns.entries()) {
    const framed = frames[index];
    if (position !== undefined && framed !== undefined)
      edits.set(position.message, [...(edits.get(position.message) ?? []), { position, framed }]);
  }
  const framed = prompt.map((message, index) => {
    const own = edits.get(index);
    return own === undefined ? message : shownMessage(message, own);
  });
  const shown = withRules(framed);
  const added = shown.length - prompt.length;
  for (const [index, message] of prompt.entries()) {
    const made = shown[index + added];
    if (isFields(made) && made !== message) originals.set(made, message);
  }
  return shown;
}
