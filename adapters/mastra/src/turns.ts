import { source, type Turn } from '@sallyport/core';
import { contentOf, type Fields, isFields, partOf } from './part.ts';
import { stretchesOf, type TrustRange } from './system.ts';
import { saidIn } from './thread.ts';
import { turnOf, type Voice, type Voices } from './voices.ts';

/** Where a frame goes: in place of a stretch of a text, or of a part, where that is a result in place of its output. */
export interface Place {
  readonly message: number;
  /** Undefined where the content of the message is one text. */
  readonly part: number | undefined;
  readonly range: readonly [start: number, end: number] | undefined;
}

/** A turn, and where in the prompt what it brought is to be replaced; undefined where nothing is. */
export interface Placed {
  readonly turn: Turn;
  readonly place: Place | undefined;
}

/** What a user hands over beside his words was written by somebody else. */
export const ATTACHED: ReturnType<typeof source> = source('external', { name: 'attachment' });

type Entry = readonly [part: number, fields: Fields];

function entriesOf(content: unknown): readonly Entry[] {
  const parts: readonly unknown[] = Array.isArray(content) ? content : [];
  return parts.map((part, index) => [index, isFields(part) ? part : { type: 'unknown', part }]);
}

function unplaced(turn: Turn): Placed {
  return { turn, place: undefined };
}

function placed(ranges: readonly TrustRange[], message: number, part: number | undefined): readonly Placed[] {
  return ranges.map(({ turn, start, end, isFramed }) => ({
    turn,
    place: isFramed ? { message, part, range: [start, end] } : undefined,
  }));
}

/** Who speaks in a message of the user: a signal is known by its tag. */
function speakerOf(text: string, { signals }: Voices): Voice | undefined {
  const isMarked = ([tag]: readonly [string, Voice]): boolean =>
    text.startsWith(`<${tag}`) && (text.endsWith(`</${tag}>`) || text.endsWith('/>'));
  return [...signals].find(isMarked)?.[1];
}

function userTurns(content: unknown, voices: Voices, message: number): readonly Placed[] {
  const entries: readonly (readonly [number | undefined, Fields])[] =
    typeof content === 'string' ? [[undefined, { type: 'text', text: content }]] : entriesOf(content);
  const first = entries.find(([, { type }]) => type === 'text')?.[1].text;
  const voice = speakerOf(String(first), voices);
  return entries.flatMap(([part, fields]): readonly Placed[] => {
    const { type, text } = fields;
    if (type !== 'text' || typeof text !== 'string') {
      const turn: Turn = { type: 'content', source: ATTACHED, content: [partOf(fields)] };
      return [{ turn, place: voice === undefined ? undefined : { message, part, range: undefined } }];
    }
    if (voice === undefined) return placed(saidIn(text, entries.length === 1), message, part);
    return [{ turn: turnOf(text, voice), place: { message, part, range: [0, text.length] } }];
  });
}

function resultOf({ toolCallId, toolName, output }: Fields): Turn {
  return { type: 'result', id: String(toolCallId), tool: String(toolName), content: contentOf(output) };
}

function assistantTurns(content: unknown): readonly Placed[] {
  return entriesOf(content).flatMap(([, fields]) => {
    const { type, toolCallId, toolName, input } = fields;
    if (type === 'tool-call')
      return [unplaced({ type: 'call', id: String(toolCallId), tool: String(toolName), arguments: input ?? null })];
    // What the provider ran itself is replayed by its own id: it cannot be framed, but it was read.
    return type === 'tool-result' ? [unplaced(resultOf(fields))] : [];
  });
}

function toolTurns(content: unknown, message: number): readonly Placed[] {
  return entriesOf(content).flatMap(([part, fields]) => {
    if (fields.type === 'tool-approval-response') return [];
    if (fields.type !== 'tool-result')
      return [unplaced({ type: 'content', source: ATTACHED, content: [partOf(fields)] })];
    const isDenied = isFields(fields.output) && fields.output.type === 'execution-denied';
    return isDenied ? [] : [{ turn: resultOf(fields), place: { message, part, range: undefined } }];
  });
}

/** The turns of a prompt. */
export function turnsOf(prompt: readonly unknown[], voices: Voices): readonly Placed[] {
  return prompt.flatMap((message, index): readonly Placed[] => {
    const { role, content } = isFields(message) ? message : { role: undefined, content: message };
    switch (role) {
      case 'system':
        return placed(stretchesOf(String(content), voices), index, undefined);
      case 'user':
        return userTurns(content, voices, index);
      case 'assistant':
        return assistantTurns(content);
      case 'tool':
        return toolTurns(content, index);
      default:
        return [unplaced({ type: 'content', source: ATTACHED, content: { json: content ?? null } })];
    }
  });
}
