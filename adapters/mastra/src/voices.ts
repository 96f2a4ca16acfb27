import { source, type Turn } from '@sallyport/core';
import { type Fields, isFields, textOf } from './part.ts';

/** Whose words a text is: the developer's, those of a model that wrote down what it had read, or somebody's outside. */
export type Voice = 'own' | 'model' | 'others';

/** What the list of messages knows of a prompt, and the prompt no longer says. */
export interface Voices {
  /** System texts by who wrote them; undefined where nobody knows. */
  readonly system: ReadonlyMap<string, Voice> | undefined;
  /** Tags of signals: they stand in the prompt as messages of the user, who did not write them. */
  readonly signals: ReadonlyMap<string, Voice>;
}

// Working memory and what is recalled of other threads, observational memory, what MCP servers say of themselves, and
// what a processor says about an answer of the model, maybe in the words of that answer.
const TAGS: readonly (readonly [tag: string, voice: Voice | undefined])[] = [
  ['memory', 'model'],
  ['observational-memory', 'model'],
  ['mcp-guidance', 'others'],
  ['processor-retry-feedback', undefined],
];
const OUTSIDE = source('external', { name: 'mastra' });

/** A text that Mastra put into a prompt, as the turn it is. */
export function turnOf(text: string, voice: Voice): Turn {
  switch (voice) {
    case 'own':
      return { type: 'policy', text };
    case 'model':
      return { type: 'summary', content: text };
    case 'others':
      return { type: 'content', source: OUTSIDE, content: text };
  }
}

function messagesOf(list: Fields, method: string, ...given: readonly unknown[]): readonly Fields[] {
  const found = list[method];
  const messages: unknown = typeof found === 'function' ? found.apply(list, given) : undefined;
  return Array.isArray(messages) ? messages.filter(isFields) : [];
}

function systemVoices(list: Fields): ReadonlyMap<string, Voice> | undefined {
  const voices = new Map<string, Voice>();
  for (const { content } of messagesOf(list, 'getAllSystemMessages')) voices.set(String(content), 'own');
  for (const [tag, voice] of TAGS)
    for (const { content } of messagesOf(list, 'getSystemMessages', tag))
      if (voice === undefined) voices.delete(String(content));
      else voices.set(String(content), voice);
  return voices.size === 0 ? undefined : voices;
}

/** The tag and the voice of a stored message that is a signal; undefined where the user speaks. */
export function signalOf({ role, type, content }: Fields): readonly [tag: string, voice: Voice] | undefined {
  const metadata = isFields(content) && isFields(content.metadata) ? content.metadata : {};
  const signal = isFields(metadata.signal) ? metadata.signal : {};
  const kind = signal.type ?? type;
  const isUser = kind === 'user' || kind === 'user-message';
  if (role !== 'signal' || isUser) return undefined;
  return [textOf(signal.tagName) ?? String(type), kind === 'state' ? 'model' : 'others'];
}

/** Who speaks in the messages that a prompt is made from. */
export function voicesOf(list: unknown): Voices {
  if (!isFields(list)) return { system: undefined, signals: new Map() };
  const { get } = list;
  const stored = isFields(get) && isFields(get.all) ? messagesOf(get.all, 'db') : [];
  const signals = stored.map(signalOf).filter((signal) => signal !== undefined);
  return { system: systemVoices(list), signals: new Map(signals) };
}
