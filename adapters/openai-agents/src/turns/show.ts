import type { Conversation, Turn } from '@sallyport/core';
import { withReadingRules } from '@sallyport/core/adapter';
import type { Fields } from './part.ts';
import { type Placed, type Speaker, turnsOf } from './turns.ts';

/** What of a request is read. */
interface Read {
  readonly input: string | readonly unknown[];
  readonly systemInstructions?: string | undefined;
}

/** The turns of a request, item by item, behind those of its system message. */
function readParts({ input, systemInstructions: text }: Read, speaker: Speaker): readonly (readonly Placed[])[] {
  const policy: readonly Placed[] = text === undefined ? [] : [{ turn: { type: 'policy', text }, put: undefined }];
  return [policy, ...turnsOf(input, speaker)];
}

/** All turns of a request in the order in which the model reads them. */
export function readRequest(request: Read, speaker: Speaker): readonly Turn[] {
  return readParts(request, speaker)
    .flat()
    .map(({ turn }) => turn);
}

/** A request as the model is to be shown it. The one that was given stays as it is. */
export async function show<R extends Read>(conversation: Conversation, request: R, speaker: Speaker): Promise<R> {
  const read = readParts(request, speaker);
  const frames = (await conversation.render(read.flat().map(({ turn }) => turn))).values();
  const put = read.map((placed) => {
    let item: Fields | undefined;
    for (const { put } of placed) {
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
