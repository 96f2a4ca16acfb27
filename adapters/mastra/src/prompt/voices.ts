import { source, type Turn } from '@sallyport/core';
import { type Fields, fieldsOf, isFields, stringOf } from '@sallyport/core/adapter';

/** The author of a text: the developer, a model that summarized what it had read, or others. */
export type Voice = 'own' | 'model' | 'others';

/** Facts about a prompt that only Mastra's list of messages contains. */
export interface Voices {
  /** System texts that the developer wrote. */
  readonly own: ReadonlySet<string>;
  /** The tags of system texts, empty for a text without a known tag; undefined if Mastra passes no list. */
  readonly tags: ReadonlyMap<string, string> | undefined;
  /** The tags of signals: in the prompt they have the role of the user, who did not write them. */
  readonly signals: ReadonlyMap<string, Voice>;
}

// Working memory and messages recalled from other threads, observational memory, guidance of MCP servers, and the author in a
// channel. If a text has two tags, the later one counts, which is the one that frames it.
const TAGS = ['processor-retry-feedback', 'memory', 'observational-memory', 'chat-channel-context', 'mcp-guidance'];
const OUTSIDE = source('external', { name: 'mastra' });

/** The turn of a text that Mastra put into a prompt. */
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

/** The system texts of a list with a tag, or without one. */
export function systemTexts(list: Fields, tag?: string): readonly string[] {
  return messagesOf(list, 'getSystemMessages', tag).map(({ content }) => String(content));
}

function tagsIn(list: Fields): ReadonlyMap<string, string> {
  const all = messagesOf(list, 'getAllSystemMessages').map(({ content }) => [String(content), ''] as const);
  const tagged = TAGS.flatMap((tag) => systemTexts(list, tag).map((text) => [text, tag] as const));
  return new Map([...all, ...tagged]);
}

/** The tag and the voice of a stored signal; undefined for a message of the user. */
export function signalOf({ role, type, content }: Fields): readonly [tag: string, voice: Voice] | undefined {
  const signal = fieldsOf(fieldsOf(fieldsOf(content).metadata).signal);
  const kind = signal.type ?? type;
  const isUser = kind === 'user' || kind === 'user-message';
  if (role !== 'signal' || isUser) return undefined;
  return [stringOf(signal.tagName) ?? String(type), kind === 'state' ? 'model' : 'others'];
}

/** The authors of the messages from which a prompt is built. */
export function voicesOf(list: unknown, own: ReadonlySet<string>): Voices {
  if (!isFields(list)) return { own, tags: undefined, signals: new Map() };
  const stored = messagesOf(fieldsOf(fieldsOf(list.get).all), 'db');
  const signals = stored.map(signalOf).filter((signal) => signal !== undefined);
  return { own, tags: tagsIn(list), signals: new Map(signals) };
}
