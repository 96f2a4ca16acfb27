import { source, type Turn } from '@sallyport/core';
import { type Fields, isFields, textOf } from './part.ts';

/** Whose words a text is: the developer's, those of a model that wrote down what it had read, or somebody's outside. */
export type Voice = 'own' | 'model' | 'others';

/** What the list of messages knows of a prompt, and the prompt no longer says. */
export interface Voices {
  /** System texts that the developer wrote. */
  readonly own: ReadonlySet<string>;
  /** The tags of system texts, empty where one has none that says whose it is; undefined where Mastra hands over no list. */
  readonly tags: ReadonlyMap<string, string> | undefined;
  /** Tags of signals: they stand in the prompt as messages of the user, who did not write them. */
  readonly signals: ReadonlyMap<string, Voice>;
}

// Working memory and what is recalled of other threads, observational memory, what MCP servers say of themselves, who
// writes in a channel. Of two tags of one text the later one counts, which is the one that frames it.
const TAGS = ['processor-retry-feedback', 'memory', 'observational-memory', 'chat-channel-context', 'mcp-guidance'];
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

/** The system texts of a list: those of a tag, or those that have none. */
export function systemTexts(list: Fields, tag?: string): readonly string[] {
  return messagesOf(list, 'getSystemMessages', tag).map(({ content }) => String(content));
}

function tagsIn(list: Fields): ReadonlyMap<string, string> {
  const all = messagesOf(list, 'getAllSystemMessages').map(({ content }) => [String(content), ''] as const);
  const tagged = TAGS.flatMap((tag) => systemTexts(list, tag).map((text) => [text, tag] as const));
  return new Map([...all, ...tagged]);
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
export function voicesOf(list: unknown, own: ReadonlySet<string>): Voices {
  if (!isFields(list)) return { own, tags: undefined, signals: new Map() };
  const { get } = list;
  const stored = isFields(get) && isFields(get.all) ? messagesOf(get.all, 'db') : [];
  const signals = stored.map(signalOf).filter((signal) => signal !== undefined);
  return { own, tags: tagsIn(list), signals: new Map(signals) };
}
