import type { Conversation } from '@sallyport/core';
import { type Fields, fieldsOf, isFields, withReadingRules } from '@sallyport/core/adapter';
import type { Framed } from '@sallyport/core/stages';
import { blocksOf } from './blocks.ts';
import { isProvided, messagesOf, turnsOf } from './turns.ts';

/** Appends the reading rules to the last text, so that a cache breakpoint on it covers them. */
function withRules(system: unknown): unknown {
  if (!Array.isArray(system)) return withReadingRules(typeof system === 'string' ? system : '');
  const last: unknown = system.at(-1);
  if (!isFields(last) || typeof last.text !== 'string')
    return [...system, { type: 'text', text: withReadingRules('') }];
  return [...system.slice(0, -1), { ...last, text: withReadingRules(last.text) }];
}

/** The provider stores the system prompt of a thread, and rejects a request that repeats it. */
function isContinued({ thread }: Fields): boolean {
  return fieldsOf(thread).type === 'continue';
}

/** A frame, the block that it replaces, and the blocks that are sent in its place. */
interface FramedBlock {
  readonly framed: Framed;
  readonly block: number;
  readonly show: (framed: Framed) => readonly Fields[];
}

interface Shown {
  readonly frames: readonly Framed[];
  readonly message: Fields;
}

/** Messages as they were sent: the same message with the same frames is the same object, written once. */
const shownMessages = new WeakMap<object, Shown>();

function shownMessage(message: Fields, blocks: readonly FramedBlock[]): Fields {
  const last = shownMessages.get(message);
  const isSame = last?.frames.length === blocks.length && blocks.every(({ framed }, at) => last.frames[at] === framed);
  if (isSame) return last.message;
  const inPlace = new Map(blocks.map(({ block, framed, show: replace }) => [block, replace(framed)]));
  const content = blocksOf(message.content).flatMap((block, at): readonly unknown[] => inPlace.get(at) ?? [block]);
  const shown = { ...message, content };
  shownMessages.set(message, { frames: blocks.map(({ framed }) => framed), message: shown });
  return shown;
}

/** The request body that the model is sent. The given body is not changed. */
export async function show(conversation: Conversation, body: Fields): Promise<Fields> {
  const turns = turnsOf(body);
  const frames = await conversation.render(turns.map(({ turn }) => turn));
  const framedIn = new Map<number, FramedBlock[]>();
  for (const [index, { message, block, show: replace }] of turns.entries()) {
    const framed = frames[index];
    if (framed === undefined || replace === undefined) continue;
    const blocks = framedIn.get(message) ?? [];
    blocks.push({ framed, block, show: replace });
    framedIn.set(message, blocks);
  }
  const messages = messagesOf(body).map((message, index) => {
    const blocks = framedIn.get(index);
    return isFields(message) && blocks !== undefined ? shownMessage(message, blocks) : message;
  });
  return { ...body, messages, ...(isContinued(body) ? {} : { system: withRules(body.system) }) };
}

/** Records the results of provider tools in a reply. On a thread, no later request would contain them. */
export async function recordReply(conversation: Conversation, body: Fields, blocks: readonly unknown[]): Promise<void> {
  if (!blocks.some(isProvided)) return;
  const messages = [...messagesOf(body), { role: 'assistant', content: blocks }];
  await conversation.render(turnsOf({ ...body, messages }).map(({ turn }) => turn));
}
