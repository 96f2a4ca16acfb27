import type { Conversation, Turn } from '@sallyport/core';
import { withReadingRules } from '@sallyport/core/adapter';
import type { Framed } from '@sallyport/core/stages';
import { Calls, type Coming } from './calls.ts';
import { bareMedia, type Fields, isFields } from './part.ts';
import { shownResponse } from './result.ts';
import { listOf, type Placed, placeOf, turnsOf, unseen } from './turns.ts';

/** Renders turns, and says for each place what is to stand there. */
export async function framesOf(
  conversation: Conversation,
  first: readonly Turn[],
  placed: readonly Placed[],
): Promise<ReadonlyMap<string, Framed>> {
  const frames = await conversation.render([...first, ...placed.map(({ turn }) => turn)]);
  const byPlace = new Map<string, Framed>();
  for (const [index, { place }] of placed.entries()) {
    const framed = frames[first.length + index];
    if (place !== undefined && framed !== undefined) byPlace.set(place, framed);
  }
  return byPlace;
}

function textsOf(system: unknown): string[] {
  if (typeof system === 'string') return [system];
  const parts = isFields(system) ? listOf(system.parts, 'parts') : [];
  return parts.flatMap((part) => (isFields(part) && typeof part.text === 'string' ? [part.text] : []));
}

/** The system instruction with the reading rules at its end. */
function withRules(system: unknown): unknown {
  if (typeof system === 'string') return withReadingRules(system);
  const parts = isFields(system) ? listOf(system.parts, 'parts') : [];
  const last = parts.at(-1);
  const isText = isFields(last) && typeof last.text === 'string';
  const ending = isText ? { ...last, text: withReadingRules(String(last.text)) } : { text: withReadingRules('') };
  return { ...(isFields(system) ? system : {}), parts: [...(isText ? parts.slice(0, -1) : parts), ending] };
}

function shownParts(part: unknown, framed: Framed | undefined): readonly unknown[] {
  if (isFields(part) && isFields(part.functionResponse))
    return [{ functionResponse: shownResponse(part.functionResponse, framed) }];
  if (framed === undefined) return [part];
  return framed.pieces.flatMap(({ text, media }) => (media === undefined ? [{ text }] : [{ text }, bareMedia(media)]));
}

/** Tools that the provider runs, and what it keeps: nobody shows us what the model reads there. */
function unseenIn({ tools, cachedContent }: Fields): Turn[] {
  const names = listOf(tools, 'tools').flatMap((tool) => (isFields(tool) ? Object.keys(tool) : []));
  const kept = cachedContent === undefined ? [] : ['cachedContent'];
  return unseen([...names.filter((name) => name !== 'functionDeclarations'), ...kept]);
}

/** The body of a request as the model is to be shown it. The one that was given stays as it is. */
export async function show(conversation: Conversation, body: Fields, coming: Coming, isCount = false): Promise<Fields> {
  const { systemInstruction: system } = body;
  const contents = listOf(body.contents, 'contents');
  const calls = new Calls();
  const policy: Turn = { type: 'policy', text: textsOf(system).join('\n') };
  const placed = turnsOf(contents, calls);
  const frames = await framesOf(conversation, [policy, ...unseenIn(body)], placed);
  coming.after(calls.settled);
  const shown = contents.map((content, message) => {
    const parts = isFields(content) ? listOf(content.parts, 'parts') : [];
    if (parts.length === 0) return content;
    return {
      ...(content as Fields),
      parts: parts.flatMap((part, index) => shownParts(part, frames.get(placeOf(message, index)))),
    };
  });
  // Beside a cache, whose system instruction has the rules, and where tokens are counted, none may be added.
  const isAdded = system !== undefined || (body.cachedContent === undefined && !isCount);
  const messages = body.contents === undefined ? {} : { contents: shown };
  return { ...body, ...messages, ...(isAdded ? { systemInstruction: withRules(system) } : {}) };
}

function isWaiting(contents: readonly unknown[]): boolean {
  const last = contents.at(-1);
  if (!isFields(last) || last.role !== 'model') return false;
  return listOf(last.parts, 'parts').some((part) => isFields(part) && isFields(part.functionCall));
}

/**
 * The body of a request that counts tokens. No model reads it, so what stands in it as the user's is nobody's word: only after a
 * restart, where calls wait that nobody here has seen, is it the history that led to them.
 */
export async function showCount(conversation: Conversation, body: Fields, coming: Coming): Promise<Fields> {
  const isRestart = !conversation.hasRendered && isWaiting(listOf(body.contents, 'contents'));
  return isRestart ? show(conversation, body, coming, true) : body;
}
