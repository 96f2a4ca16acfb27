import type { Content, ContentPart } from '@sallyport/core';
import { type Fields, fieldsOf, isFields } from '@sallyport/core/adapter';
import type { Framed } from '@sallyport/core/stages';
import { partOf, shownPart } from './part.ts';

/** The content of a result, and the item with the frame in its place. */
export interface Result {
  readonly content: Content;
  put(framed: Framed): Fields;
}

function contentOf(output: unknown): Content {
  if (typeof output === 'string') return output;
  if (Array.isArray(output)) return output.map(partOf);
  if (!isFields(output)) return { json: output ?? null };
  if (output.type === 'text' && typeof output.text === 'string') return output.text;
  return output.type === 'image' || output.type === 'file' ? [partOf(output)] : { json: output };
}

function isParts(content: Content): content is readonly ContentPart[] {
  return Array.isArray(content);
}

function shownOutput(output: unknown, content: Content, framed: Framed): unknown {
  if (typeof output === 'string') return framed.text;
  if (isFields(output) && output.type === 'text') return { type: 'text', text: framed.text };
  if (!isParts(content)) return framed.text;
  const given = Array.isArray(output) ? output : [output];
  return framed.pieces.flatMap((piece, index) => shownPart(piece, content[index], given[index]));
}

/** The result of a function: a text, one part, a list of parts, or a value of an unknown type. */
export function outputResult(item: Fields): Result {
  const content = contentOf(item.output);
  return { content, put: (framed) => ({ ...item, output: shownOutput(item.output, content, framed) }) };
}

const STREAMS = ['stdout', 'stderr'] as const;

function streamOf(entry: unknown, stream: (typeof STREAMS)[number]): ContentPart | undefined {
  if (!isFields(entry)) return stream === 'stdout' ? { type: 'json', value: entry ?? null } : undefined;
  const text = entry[stream];
  if (typeof text !== 'string') return text === undefined ? undefined : { type: 'json', value: text };
  return text === '' ? undefined : { type: 'text', text };
}

/** The exit of a command, without any other member, because it has no frame. */
function outcomeOf(entry: unknown): Fields | undefined {
  const { outcome } = fieldsOf(entry);
  if (outcome === undefined) return undefined;
  const { type, exitCode } = fieldsOf(outcome);
  return type === 'timeout' ? { type } : { type: 'exit', exitCode: typeof exitCode === 'number' ? exitCode : null };
}

/** The output of commands. Each stream that is not empty has its own frame. */
export function shellResult(item: Fields): Result {
  const entries: readonly unknown[] = Array.isArray(item.output) ? item.output : [item.output];
  const streams = entries.map((entry) => STREAMS.map((stream) => streamOf(entry, stream)));
  const put = (framed: Framed): Fields => {
    const texts = framed.pieces.map(({ text }) => text).values();
    const output = entries.map((entry, index) => {
      const [stdout, stderr] = (streams[index] ?? []).map((part) =>
        part === undefined ? '' : String(texts.next().value ?? ''),
      );
      return { stdout, stderr, outcome: outcomeOf(entry) };
    });
    return { ...item, output };
  };
  const parts = streams.flat().filter((part) => part !== undefined);
  const [only] = parts;
  // A single text becomes a string, so that core recognizes a refusal in a history.
  return { content: parts.length === 1 && only?.type === 'text' ? only.text : parts, put };
}

/** A blank image, in place of a screenshot that is not sent. */
const BLANK =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** A screenshot cannot have a frame: it is sent as bytes, or not at all. */
export function screenResult(item: Fields): Result {
  const { output } = item;
  const image = isFields(output) ? output.data : output;
  const content = [partOf({ type: 'image', image })];
  const put = ({ pieces: [piece] }: Framed): Fields => {
    const media = piece?.media;
    const data = media === undefined ? BLANK : `data:${media.mediaType};base64,${media.data}`;
    return { ...item, output: { type: 'computer_screenshot', data } };
  };
  return { content, put };
}
