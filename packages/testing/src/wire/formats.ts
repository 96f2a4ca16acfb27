import { chat } from './chat.ts';
import { gemini, geminiWithoutIds } from './gemini.ts';
import { messages } from './messages.ts';
import { responses } from './responses.ts';
import type { Wire } from './wire.ts';

/**
 * A provider's API: OpenAI's chat completions (which many other servers support), OpenAI's responses, Anthropic's
 * messages, or Gemini; `gemini-without-ids` is Gemini as older models and some proxies speak it, without ids of calls.
 *
 * @example
 * ```ts
 * const format: WireFormat = 'messages';
 * const model = new ScriptedModel(format);
 * ```
 */
export type WireFormat = 'chat' | 'responses' | 'messages' | 'gemini' | 'gemini-without-ids';

export const WIRES: Readonly<Record<WireFormat, Wire>> = {
  chat,
  responses,
  messages,
  gemini,
  'gemini-without-ids': geminiWithoutIds,
};
