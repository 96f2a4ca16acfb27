import type { HookEvent } from './event.ts';

/** A prompt that a program submitted is content like any other, unless the user says that such programs speak for them. */
export function heardAs(event: HookEvent, isUser: () => boolean): HookEvent {
  if (event.type !== 'prompt' || event.isFromProgram !== true || isUser()) return event;
  const { text, isFromProgram, files, type, ...session } = event;
  return { type: 'result', tool: 'message', arguments: {}, result: text, ...session };
}
