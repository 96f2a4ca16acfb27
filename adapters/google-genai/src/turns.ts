import { source, type Turn } from '@sallyport/core';
import { type Fields, fieldsOf, isFields } from '@sallyport/core/adapter';
import type { Calls } from './calls.ts';
import { partOf } from './part.ts';
import { contentOf } from './result.ts';

/** A turn, and the position of its content. */
export interface PositionedTurn {
  readonly turn: Turn;
  /** The message and the part that is replaced by a frame; undefined if nothing is replaced. */
  readonly position: string | undefined;
}

/** Files that the user attaches were written by others. */
export const ATTACHED: ReturnType<typeof source> = source('external', { name: 'attachment' });
/** Parts that a tool returns next to its response. Without a source of their own they would pass for the user's words. */
const TOOL = source('external', { name: 'tool' });

/** Members of the model's own parts: its words, thoughts and pictures, and its calls of provider tools. */
const OWN = ['text', 'inlineData', 'fileData', 'executableCode', 'toolCall'];
/** Results of provider tools. They are sent back unchanged, so they cannot be framed. The model has read them. */
const PROVIDED = ['codeExecutionResult', 'toolResponse'];
/** Members that only describe a part. */
const ABOUT = [
  'mediaProcessing',
  'mediaResolution',
  'partMetadata',
  'speechMetadata',
  'thought',
  'thoughtSignature',
  'videoMetadata',
];

export function positionOf(message: number, part: number): string {
  return `${message}.${part}`;
}

export function checkedListOf(value: unknown, name: string): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new TypeError(`\`${name}\` must be a list; received ${typeof value}.`);
  return value;
}

/** Turns for content that the model reads and no request contains: all that is known is that it was read. */
export function unseen(names: Iterable<string>): Turn[] {
  return [...new Set(names)].map((name) => ({ type: 'content', source: source('external', { name }), content: name }));
}

/** Recognizes the result of a provider's tool in an answer. */
export function isProvided(part: unknown): boolean {
  return isFields(part) && PROVIDED.some((name) => name in part);
}

function providedTurn(part: Fields): Turn | undefined {
  const name = PROVIDED.find((each) => each in part);
  if (name === undefined) return undefined;
  return { type: 'content', source: source('external', { name }), content: { json: part[name] } };
}

function modelTurn(part: Fields): Turn | undefined {
  const isOwn = Object.keys(part).every((name) => OWN.includes(name) || ABOUT.includes(name));
  if (!isOwn) return { type: 'content', source: ATTACHED, content: [partOf(part)] };
  return 'text' in part && part.thought !== true ? { type: 'model' } : undefined;
}

type Role = 'model' | 'tools' | 'user';

interface ReadTurn {
  readonly turn: Turn;
  readonly isReplaced: boolean;
}

/** A part of a user message. */
function userTurn(part: unknown): ReadTurn | undefined {
  const fields = isFields(part) ? part : { part };
  if (typeof fields.text === 'string') return { turn: { type: 'user', content: fields.text }, isReplaced: false };
  if (Object.keys(fields).every((name) => ABOUT.includes(name))) return undefined;
  const isKnown = 'inlineData' in fields || 'fileData' in fields;
  return { turn: { type: 'content', source: ATTACHED, content: [partOf(part)] }, isReplaced: !isKnown };
}

function keptTurn(part: Fields, role: Role, calls: Calls): Turn | undefined {
  if (role !== 'model') return providedTurn(part);
  return isFields(part.functionCall) ? calls.call(part.functionCall) : (providedTurn(part) ?? modelTurn(part));
}

function turnOf(part: unknown, role: Role, calls: Calls): ReadTurn | undefined {
  const fields = fieldsOf(part);
  const { functionResponse } = fields;
  if (isFields(functionResponse)) {
    const turn = { type: 'result' as const, ...calls.answered(functionResponse), content: contentOf(functionResponse) };
    return { turn, isReplaced: true };
  }
  // Everything that a tool returns is its content, including parts that only a provider or a model may write.
  if (role === 'tools') return { turn: { type: 'content', source: TOOL, content: [partOf(part)] }, isReplaced: true };
  const turn = keptTurn(fields, role, calls);
  if (turn !== undefined) return { turn, isReplaced: false };
  return role === 'model' ? undefined : userTurn(part);
}

function roleOf({ role }: Fields, parts: readonly unknown[]): Role {
  if (role === 'model') return 'model';
  const isAnswer = parts.some((part) => isFields(part) && 'functionResponse' in part);
  return isAnswer || role === 'function' ? 'tools' : 'user';
}

/** The turns of a request's contents. */
export function turnsOf(contents: readonly unknown[], calls: Calls): readonly PositionedTurn[] {
  return contents.flatMap((content, message) => {
    const fields = isFields(content) ? content : { parts: [content] };
    const parts = checkedListOf(fields.parts, 'parts');
    const role = roleOf(fields, parts);
    calls.next(role === 'model');
    return parts.flatMap((part, index) => {
      const read = turnOf(part, role, calls);
      if (read === undefined) return [];
      return [{ turn: read.turn, position: read.isReplaced ? positionOf(message, index) : undefined }];
    });
  });
}
