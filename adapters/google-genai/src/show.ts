import type { Conversation, Turn } from '@sallyport/core';
import { type Fields, fieldsOf, isFields, withReadingRules } from '@sallyport/core/adapter';
import type { Framed } from '@sallyport/core/stages';
import { Calls, type ReplyCalls } from './calls.ts';
import { bareMedia } from './part.ts';
import { shownResponse } from './result.ts';
import { checkedListOf, type PositionedTurn, positionOf, turnsOf, unseen } from './turns.ts';

/** Renders turns, and returns the frame for each position. */
export async function framesOf(
  conversation: Conversation,
  first: readonly Turn[],
  positioned: readonly PositionedTurn[],
): Promise<ReadonlyMap<string, Framed>> {
  const frames = await conversation.render([...first, ...positioned.map(({ turn }) => turn)]);
  const byPosition = new Map<string, Framed>();
  for (const [index, { position }] of positioned.entries()) {
    const framed = frames[first.length + index];
    if (position !== undefined && framed !== undefined) byPosition.set(position, framed);
  }
  return byPosition;
}

function textsOf(system: unknown): string[] {
  if (typeof system === 'string') return [system];
  const parts = checkedListOf(fieldsOf(system).parts, 'parts');
  return parts.flatMap((part) => (isFields(part) && typeof part.text === 'string' ? [part.text] : []));
}

/** Appends the reading rules to the system instruction. */
function withRules(system: unknown): unknown {
  if (typeof system === 'string') return withReadingRules(system);
  const parts = checkedListOf(fieldsOf(system).parts, 'parts');
  const last = parts.at(-1);
  const isText = isFields(last) && typeof last.text === 'string';
  const ending = isText ? { ...last, text: withReadingRules(String(last.text)) } : { text: withReadingRules('') };
  return { ...fieldsOf(system), parts: [...(isText ? parts.slice(0, -1) : parts), ending] };
}

function shownParts(part: unknown, framed: Framed | undefined): readonly unknown[] {
  if (isFields(part) && isFields(part.functionResponse))
    return [{ functionResponse: shownResponse(part.functionResponse, framed) }];
  if (framed === undefined) return [part];
  return framed.pieces.flatMap(({ text, media }) => (media === undefined ? [{ text }] : [{ text }, bareMedia(media)]));
}

interface Shown {
  readonly frames: readonly (Framed | undefined)[];
  readonly content: unknown;
}

/** Contents as they were sent: the same content with the same frames is the same object, written once. */
const shownContents = new WeakMap<object, Shown>();

function shownContent(content: unknown, frameAt: (part: number) => Framed | undefined): unknown {
  const fields = fieldsOf(content);
  const parts = checkedListOf(fields.parts, 'parts');
  if (parts.length === 0) return content;
  const frames = parts.map((_, index) => frameAt(index));
  const last = shownContents.get(fields);
  if (last !== undefined && frames.every((framed, index) => framed === last.frames[index])) return last.content;
  const shown = { ...fields, parts: parts.flatMap((part, index) => shownParts(part, frames[index])) };
  shownContents.set(fields, { frames, content: shown });
  return shown;
}

/** Tools that the provider runs, and its cache: no request contains what the model reads there. */
function unseenIn({ tools, cachedContent }: Fields): Turn[] {
  const names = checkedListOf(tools, 'tools').flatMap((tool) => (isFields(tool) ? Object.keys(tool) : []));
  const kept = cachedContent === undefined ? [] : ['cachedContent'];
  return unseen([...names.filter((name) => name !== 'functionDeclarations'), ...kept]);
}

/** The request body that the model is sent. The given body is not changed. */
export async function show(
  conversation: Conversation,
  body: Fields,
  replyCalls: ReplyCalls,
  isCount = false,
): Promise<Fields> {
  const { systemInstruction: system } = body;
  const contents = checkedListOf(body.contents, 'contents');
  const calls = new Calls();
  const policy: Turn = { type: 'policy', text: textsOf(system).join('\n') };
  const positioned = turnsOf(contents, calls);
  const frames = await framesOf(conversation, [policy, ...unseenIn(body)], positioned);
  replyCalls.after(calls.settled);
  const shown = contents.map((content, message) =>
    shownContent(content, (part) => frames.get(positionOf(message, part))),
  );
  // With a cache, whose system instruction contains the rules, and in a token count, the API accepts no system instruction.
  const isAdded = system !== undefined || (body.cachedContent === undefined && !isCount);
  const messages = body.contents === undefined ? {} : { contents: shown };
  return { ...body, ...messages, ...(isAdded ? { systemInstruction: withRules(system) } : {}) };
}

/** Records what the provider's own tools returned inside an answer. The model has read it before it made a call of that answer. */
export async function recordReply(conversation: Conversation, body: Fields, parts: readonly unknown[]): Promise<void> {
  const contents = [...checkedListOf(body.contents, 'contents'), { role: 'model', parts }];
  const policy: Turn = { type: 'policy', text: textsOf(body.systemInstruction).join('\n') };
  await framesOf(conversation, [policy, ...unseenIn(body)], turnsOf(contents, new Calls()));
}

function isWaiting(contents: readonly unknown[]): boolean {
  const last = contents.at(-1);
  if (!isFields(last) || last.role !== 'model') return false;
  return checkedListOf(last.parts, 'parts').some((part) => isFields(part) && isFields(part.functionCall));
}

/**
 * The body of a request that counts tokens. No model reads it, so its user messages are not the user's words. The exception is a
 * restart with calls that are still to be made: then the body is the history that led to them.
 */
export async function showCount(conversation: Conversation, body: Fields, replyCalls: ReplyCalls): Promise<Fields> {
  const isRestart = !conversation.hasRendered && isWaiting(checkedListOf(body.contents, 'contents'));
  return isRestart ? show(conversation, body, replyCalls, true) : body;
}
