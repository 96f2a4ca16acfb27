import * as classifier from '@sallyport/classifier';
import * as core from '@sallyport/core';
import * as sallyport from 'sallyport';

// An `any` here would mean that the types were not found: `0 extends 1 & any` is true for nothing else.
type IsAny<T> = 0 extends 1 & T ? true : false;
export const isAny: [IsAny<typeof core>, IsAny<typeof classifier>, IsAny<typeof sallyport>] = [false, false, false];

const boundary: core.Boundary = core.createBoundary({ onEvent: (event: core.BoundaryEvent) => event.type });
export async function rendered(text: string): Promise<string> {
  const conversation = boundary.conversation('types');
  const recorded: core.Recorded = conversation.addContent({ source: core.source('external'), content: text });
  const requested: core.ModelRequest = await conversation.request({
    policy: core.prompt`Be kind.`,
    records: [recorded],
  });
  return requested.text;
}

// @ts-expect-error a policy is never a string
export const refused = boundary.conversation('x').request({ policy: 'Be kind.' });

const wired: sallyport.Boundary = sallyport.createBoundary({ classifier: classifier.spanClassifier, timeout: 500 });
export const found: Promise<readonly classifier.SpanFound[]> = classifier.findSpans('x');
export const same: core.Conversation = wired.conversation('same');

// @ts-expect-error there is no switch that turns classification off
export const off = sallyport.createBoundary({ classifier: false });
