import { source, type Turn } from '@sallyport/core';
import type { Calls } from './calls.ts';
import { type Fields, isFields, partOf } from './part.ts';
import { contentOf } from './result.ts';

/** A turn, and where what it brought stands. */
export interface Placed {
  readonly turn: Turn;
  /** The message and the part that is to be replaced; undefined where nothing is. */
  readonly place: string | undefined;
}

/** What a user hands over beside his words was written by somebody else. */
export const ATTACHED: ReturnType<typeof source> = source('external', { name: 'attachment' });
/** What a tool returns beside its response would otherwise pass for the words of the user. */
const BESIDE = source('external', { name: 'tool' });

/** The model's own: its words, its thoughts, its pictures, and what it had the provider do. */
const OWN = ['text', 'inlineData', 'fileData', 'executableCode', 'toolCall'];
/** What the provider ran. It is echoed as it is, so it cannot be framed, but it was read. */
const RAN = ['codeExecutionResult', 'toolResponse'];
/** What only says something about a part. */
const ABOUT = [
  'mediaProcessing',
  'mediaResolution',
  'partMetadata',
  'speechMetadata',
  'thought',
  'thoughtSignature',
  'videoMetadata',
];

export function placeOf(message: number, part: number): string {
  return `${message}.${part}`;
}

export function listOf(value: unknown, name: string): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new TypeError(`${name} is no list: what the request says cannot be framed.`);
  return value;
}

/** Something that the model reads and the boundary does not: that it was read is all that can be said. */
export function unseen(names: Iterable<string>): Turn[] {
  return [...new Set(names)].map((name) => ({ type: 'content', source: source('external', { name }), content: name }));
}

function ranBy(part: Fields): Turn | undefined {
  const name = RAN.find((each) => each in part);
  if (name === undefined) return undefined;
  return { type: 'content', source: source('external', { name }), content: { json: part[name] } };
}

function modelTurn(part: Fields): Turn | undefined {
  const isOwn = Object.keys(part).every((name) => OWN.includes(name) || ABOUT.includes(name));
  return isOwn ? undefined : { type: 'content', source: ATTACHED, content: [partOf(part)] };
}

type Role = 'model' | 'tools' | 'user';

interface Given {
  readonly turn: Turn;
  readonly isReplaced: boolean;
}

/** A part that stands beside the words of the user. */
function attachedTurn(part: unknown): Given | undefined {
  const fields = isFields(part) ? part : { part };
  if (typeof fields.text === 'string') return { turn: { type: 'user', content: fields.text }, isReplaced: false };
  if (Object.keys(fields).every((name) => ABOUT.includes(name))) return undefined;
  const isKnown = 'inlineData' in fields || 'fileData' in fields;
  return { turn: { type: 'content', source: ATTACHED, content: [partOf(part)] }, isReplaced: !isKnown };
}

function unplacedTurn(part: Fields, role: Role, calls: Calls): Turn | undefined {
  if (role !== 'model') return ranBy(part);
  return isFields(part.functionCall) ? calls.call(part.functionCall) : (ranBy(part) ?? modelTurn(part));
}

function turnOf(part: unknown, role: Role, calls: Calls): Given | undefined {
  const fields = isFields(part) ? part : {};
  const { functionResponse } = fields;
  if (isFields(functionResponse)) {
    const turn = { type: 'result' as const, ...calls.answered(functionResponse), content: contentOf(functionResponse) };
    return { turn, isReplaced: true };
  }
  // Whatever a tool returns, also what only a provider or a model could say, is its content.
  if (role === 'tools') return { turn: { type: 'content', source: BESIDE, content: [partOf(part)] }, isReplaced: true };
  const turn = unplacedTurn(fields, role, calls);
  if (turn !== undefined) return { turn, isReplaced: false };
  return role === 'model' ? undefined : attachedTurn(part);
}

function roleOf({ role }: Fields, parts: readonly unknown[]): Role {
  if (role === 'model') return 'model';
  const isAnswer = parts.some((part) => isFields(part) && 'functionResponse' in part);
  return isAnswer || role === 'function' ? 'tools' : 'user';
}

/** The turns of a request's contents. */
export function turnsOf(contents: readonly unknown[], calls: Calls): readonly Placed[] {
  return contents.flatMap((content, message) => {
    const fields = isFields(content) ? content : { parts: [content] };
    const parts = listOf(fields.parts, 'parts');
    const role = roleOf(fields, parts);
    calls.next(role === 'model');
    return parts.flatMap((part, index) => {
      const given = turnOf(part, role, calls);
      if (given === undefined) return [];
      return [{ turn: given.turn, place: given.isReplaced ? placeOf(message, index) : undefined }];
    });
  });
}
