import type { Conversation, Turn } from '@sallyport/core';
import { type Fields, withReadingRules } from '@sallyport/core/adapter';
import { type ItemTurn, type Speaker, turnsOf } from './turns.ts';

/** The members of a request that are read. */
interface Request {
  readonly input: string | readonly unknown[];
  readonly systemInstructions?: string | undefined;
}

/** The turns of a request: those of its system message, then item by item. */
function readItems({ input, systemInstructions: text }: Request, speaker: Speaker): readonly (readonly ItemTurn[])[] {
  const policy: readonly ItemTurn[] = text === undefined ? [] : [{ turn: { type: 'policy', text }, put: undefined }];
  return [policy, ...turnsOf(input, speaker)];
}

/** All turns of a request in the order in which the model reads them. */
export function readRequest(request: Request, speaker: Speaker): readonly Turn[] {
  return readItems(request, speaker)
    .flat()
    .map(({ turn }) => turn);
}

/** The request that the model is sent. The given request is not changed. */
export async function show<R extends Request>(conversation: Conversation, request: R, speaker: Speaker): Promise<R> {
  const read = readItems(request, speaker);
  const frames = (await conversation.render(read.flat().map(({ turn }) => turn))).values();
  const put = read.map((turns) => {
    let item: Fields | undefined;
    for (const { put } of turns) {
      const framed = frames.next().value;
      if (framed !== undefined) item = put?.(framed) ?? item;
    }
    return item;
  });
  const { input } = request;
  const systemInstructions = withReadingRules(request.systemInstructions ?? '');
  const shown = typeof input === 'string' ? input : input.map((item, index) => put[index + 1] ?? item);
  return { ...request, systemInstructions, input: shown };
}
