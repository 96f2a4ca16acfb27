import * as core from '@sallyport/core';

// An `any` here would mean that the types were not found: `0 extends 1 & any` is true for nothing else.
type IsAny<T> = 0 extends 1 & T ? true : false;
export const isAny: IsAny<typeof core> = false;

const boundary: core.Boundary = core.createBoundary({ onEvent: (event: core.BoundaryEvent) => event.type });
export async function rendered(text: string): Promise<string> {
  const conversation = boundary.conversation('types');
  const recorded: core.Recorded = conversation.admit({ source: core.source('external'), content: text });
  const requested: core.Requested = await conversation.request({ policy: core.prompt`Be kind.`, records: [recorded] });
  return requested.text;
}

// @ts-expect-error a policy is never a string
export const refused = boundary.conversation('x').request({ policy: 'Be kind.' });
