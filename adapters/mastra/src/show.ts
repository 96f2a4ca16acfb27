import { type Conversation, type Framed, withReadingRules } from '@sallyport/core';
import { type Fields, isFields } from './part.ts';
import { type Place, turnsOf } from './turns.ts';
import { voicesOf } from './voices.ts';

interface Edit {
  readonly place: Place;
  readonly framed: Framed;
}

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

function splicedText(text: string, edits: readonly Edit[]): string {
  return edits.reduceRight((shown, { place: { stretch }, framed }) => {
    const [start, end] = stretch ?? [0, 0];
    return shown.slice(0, start) + framed.text + shown.slice(end);
  }, text);
}

function shownPart(part: unknown, edit: Edit | undefined): unknown {
  if (edit === undefined || !isFields(part)) return part;
  if (edit.place.stretch === undefined) return { ...part, output: framedOutput(part.output, edit.framed) };
  return { ...part, text: splicedText(String(part.text), [edit]) };
}

function shownMessage<M>(message: M, edits: readonly Edit[]): M {
  const { content } = message as Fields;
  if (!Array.isArray(content)) return { ...message, content: splicedText(String(content), edits) };
  const byPart = new Map(edits.map((edit) => [edit.place.part, edit]));
  return { ...message, content: content.map((part, index) => shownPart(part, byPart.get(index))) };
}

/** The reading rules go with the first system message. */
function withRules<M>(messages: readonly M[]): M[] {
  const at = messages.findIndex((message) => isFields(message) && message.role === 'system');
  if (at < 0) return [{ role: 'system', content: withReadingRules('') } as M, ...messages];
  return messages.map((message, index) =>
    index === at ? { ...message, content: withReadingRules(String((message as Fields).content)) } : message,
  );
}

// What was shown, by what it was made from: a prompt that comes by twice is framed once.
const originals = new WeakMap<object, unknown>();

function originalOf<M>(message: M): M {
  return isFields(message) ? ((originals.get(message) as M) ?? message) : message;
}

/** A prompt as the model is to be shown it. The one that was given stays as it is. */
export async function show<M>(conversation: Conversation, given: readonly M[], list?: unknown): Promise<M[]> {
  const prompt = given.map(originalOf);
  const placed = turnsOf(prompt, voicesOf(list));
  const frames = await conversation.render(placed.map(({ turn }) => turn));
  const edits = new Map<number, Edit[]>();
  for (const [index, { place }] of placed.entries()) {
    const framed = frames[index];
    if (place !== undefined && framed !== undefined)
      edits.set(place.message, [...(edits.get(place.message) ?? []), { place, framed }]);
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
