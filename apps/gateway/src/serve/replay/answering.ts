import type { ClassifierV1 } from '@sallyport/core';
import { errorText } from '../thread/messages.ts';
import type { MainAnswer, MainQuestion } from './asking.ts';

const NEVER = new AbortController().signal;

/** Answers a worker that asks for the application's own classifier, which is a function of the main thread. */
export async function answerClassifier(
  classifier: ClassifierV1 | undefined,
  { id, service, given }: MainQuestion,
): Promise<MainAnswer> {
  try {
    const value =
      service === 'prepare'
        ? await classifier?.prepare?.()
        : await classifier?.doClassify({ text: String(given[0]), signal: NEVER });
    return { type: 'answer', id, value };
  } catch (cause) {
    return { type: 'answer', id, error: errorText(cause) };
  }
}
