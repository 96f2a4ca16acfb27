export { ScriptedModel, type Step } from './model.ts';
export { chat } from './wire/chat.ts';
export { gemini } from './wire/gemini.ts';
export { messages } from './wire/messages.ts';
export { responses } from './wire/responses.ts';
export type { Wire } from './wire/wire.ts';
