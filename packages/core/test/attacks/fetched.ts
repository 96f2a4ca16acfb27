// Helpers for attacks in the result of the tool `fetch`, and two classifiers that find one sentence.
import { viewOf } from '@sallyport/decode';
import type { EventDetails } from '../../src/event.ts';
import type { ClassifierV1 } from '../../src/index.ts';
import { outside, type Result, type ResultAttack } from './attack.ts';

/** The sentence that the classifiers find. */
export const ORDER = 'ignore previous instructions';

/** Finds one sentence, so that a sentence it does not find was not passed to it. */
export const spotter: ClassifierV1 = {
  specificationVersion: 'v1',
  id: 'spotter',
  doClassify: ({ text }) => ({
    spans: [...text.matchAll(new RegExp(ORDER, 'g'))].map(({ index }) => ({
      start: index,
      end: index + ORDER.length,
      likelihood: 'high' as const,
      tag: 'role-override',
    })),
  }),
};

/** Like `spotter`, on the folded text; the offsets are mapped back to the original. */
export const foldedSpotter: ClassifierV1 = {
  specificationVersion: 'v1',
  id: 'folded-spotter',
  doClassify: ({ text }) => {
    const view = viewOf(text);
    return {
      spans: [...view.text.matchAll(new RegExp(ORDER, 'g'))].map(({ index }) => ({
        start: view.starts[index] as number,
        end: (view.starts[index + ORDER.length - 1] as number) + 1,
        likelihood: 'high' as const,
        tag: 'role-override',
      })),
    };
  },
};

export const QUOTED = `<quoted_span {1} tag=role-override>${ORDER}</quoted_span {1}>`;
export const spotted: EventDetails = { type: 'spans-quoted', recordId: 'attack', quoted: 1, marked: 0 };

export function cutEvent(totalBytes: number, shownBytes: number): EventDetails {
  return { type: 'cut', recordId: 'attack', totalBytes, shownBytes };
}

/** A result of `fetch`, with the expected body and events. */
export function fetched(
  title: string,
  weakness: string,
  payload: Omit<Result, 'tool'>,
  expected: { body: string; attributes?: string; ending?: string; events?: readonly EventDetails[] },
): ResultAttack {
  const { body, attributes = '', ending, events = [] } = expected;
  const text = outside(body, ` from=fetch${attributes}`, ending);
  return { title, weakness, payload: { ...payload, tool: 'fetch' }, expected: { text, tier: 'external', events } };
}
