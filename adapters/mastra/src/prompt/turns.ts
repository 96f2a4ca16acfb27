import { source, type Turn } from '@sallyport/core';
import { type Fields, fieldsOf, isFields, listOf } from '@sallyport/core/adapter';
import { contentOf, partOf } from './part.ts';
import { systemRangesOf, type TrustRange } from './system.ts';
import { userRangesOf } from './thread.ts';
import { turnOf, type Voice, type Voices } from './voices.ts';

/** The place of a frame: a range of a text, a part, or the output of a result. */
export interface Position {
  readonly message: number;
  /** Undefined if the content of the message is one text. */
  readonly part: number | undefined;
  readonly range: readonly [start: number, end: number] | undefined;
}

/** A turn, and the position of its content in the prompt; undefined if it is not replaced. */
export interface PositionedTurn {
  readonly turn: Turn;
  readonly position: Position | undefined;
}

/** Files that the user attaches were written by others. */
export const ATTACHED: ReturnType<typeof source> = source('external', { name: 'attachment' });

type Entry = readonly [part: number, fields: Fields];

function entriesOf(content: unknown): readonly Entry[] {
  return listOf(content).map((part, index) => [index, isFields(part) ? part : { type: 'unknown', part }]);
}

function unpositioned(turn: Turn): PositionedTurn {
  return { turn, position: undefined };
}

function positioned(
  ranges: readonly TrustRange[],
  message: number,
  part: number | undefined,
): readonly PositionedTurn[] {
  return ranges.map(({ turn, start, end, isFramed }) => ({
    turn,
    position: isFramed ? { message, part, range: [start, end] } : undefined,
  }));
}

/** The author of a message in the role of the user: a signal is recognized by its tag. */
function speakerOf(text: string, { signals }: Voices): Voice | undefined {
  const isMarked = ([tag]: readonly [string, Voice]): boolean =>
    text.startsWith(`<${tag}`) && (text.endsWith(`</${tag}>`) || text.endsWith('/>'));
  return [...signals].find(isMarked)?.[1];
}

function userTurns(content: unknown, voices: Voices, message: number): readonly PositionedTurn[] {
  const entries: readonly (readonly [number | undefined, Fields])[] =
    typeof content === 'string' ? [[undefined, { type: 'text', text: content }]] : entriesOf(content);
  const first = entries.find(([, { type }]) => type === 'text')?.[1].text;
  const voice = speakerOf(String(first), voices);
  return entries.flatMap(([part, fields]): readonly PositionedTurn[] => {
    const { type, text } = fields;
    if (type !== 'text' || typeof text !== 'string') {
      const turn: Turn = { type: 'content', source: ATTACHED, content: [partOf(fields)] };
      return [{ turn, position: voice === undefined ? undefined : { message, part, range: undefined } }];
    }
    if (voice === undefined) return positioned(userRangesOf(text, entries.length === 1), message, part);
    return [{ turn: turnOf(text, voice), position: { message, part, range: [0, text.length] } }];
  });
}

function resultOf({ toolCallId, toolName, output }: Fields): Turn {
  return { type: 'result', id: String(toolCallId), tool: String(toolName), content: contentOf(output) };
}

function assistantTurns(content: unknown): readonly PositionedTurn[] {
  return entriesOf(content).flatMap(([, fields]) => {
    const { type, toolCallId, toolName, input } = fields;
    if (type === 'tool-call')
      return [unpositioned({ type: 'call', id: String(toolCallId), tool: String(toolName), arguments: input ?? null })];
    if (type === 'text') return [unpositioned({ type: 'model' })];
    // A result of a tool that the provider ran is sent back under its own id, so it cannot be framed. The model has read it.
    return type === 'tool-result' ? [unpositioned(resultOf(fields))] : [];
  });
}

function toolTurns(content: unknown, message: number): readonly PositionedTurn[] {
  return entriesOf(content).flatMap(([part, fields]) => {
    if (fields.type === 'tool-approval-response') return [];
    if (fields.type !== 'tool-result')
      return [unpositioned({ type: 'content', source: ATTACHED, content: [partOf(fields)] })];
    const isDenied = fieldsOf(fields.output).type === 'execution-denied';
    return isDenied ? [] : [{ turn: resultOf(fields), position: { message, part, range: undefined } }];
  });
}

/** The turns of a prompt. */
export function turnsOf(prompt: readonly unknown[], voices: Voices): readonly PositionedTurn[] {
  return prompt.flatMap((message, index): readonly PositionedTurn[] => {
    const { role, content } = isFields(message) ? message : { role: undefined, content: message };
    switch (role) {
      case 'system':
        return positioned(systemRangesOf(String(content), voices), index, undefined);
      case 'user':
        return userTurns(content, voices, index);
      case 'assistant':
        return assistantTurns(content);
      case 'tool':
        return toolTurns(content, index);
      default:
        return [unpositioned({ type: 'content', source: ATTACHED, content: { json: content ?? null } })];
    }
  });
}
