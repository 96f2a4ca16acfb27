import { fieldsOf } from '../message/fields.ts';

/** What is kept of a conversation, so that another process knows it too: inputs alone, which are judged there as they were here. */
export type Entry =
  /** Texts that were read, and strings that stood beside them as they are. */
  | {
      readonly type: 'read';
      readonly id: string;
      readonly server: string;
      readonly tool?: string | undefined;
      readonly texts: readonly string[];
      readonly bare: readonly string[];
    }
  /** A call that was proposed: its result may be the words of whoever chose it. */
  | { readonly type: 'call'; readonly id: string; readonly tool: string; readonly arguments: unknown };

/** An entry with a name of its own, by which whoever wrote it knows it again. */
export interface KeptEntry {
  readonly key: string;
  readonly entry: Entry;
}

/** Where conversations are kept that several processes serve. Without one they end with the process. */
export interface MemoryLog {
  /**
   * What was kept of a conversation behind a place, in order: all of it behind 0. Nothing may become visible before a place that was
   * read already. Where something is not kept any more, an entry without `kept` stands for it.
   */
  since(conversation: string, after: number): PromiseLike<readonly { readonly at: number; readonly kept: unknown }[]>;
  /** Keeps an entry. Ends when it cannot be lost any more. */
  append(conversation: string, kept: KeptEntry): PromiseLike<void>;
}

function areStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

function entryIn(value: unknown): Entry | undefined {
  const { type, id, server, tool, texts, bare, arguments: given } = fieldsOf(value);
  if (typeof id !== 'string' || !(tool === undefined || typeof tool === 'string')) return undefined;
  if (type === 'call') return tool === undefined ? undefined : { type, id, tool, arguments: given };
  const isRead = type === 'read' && typeof server === 'string' && areStrings(texts) && areStrings(bare);
  return isRead ? { type, id, server, tool, texts, bare } : undefined;
}

/** What a store gives back; undefined where it is none of ours, and then nobody knows what was read. */
export function readKept(value: unknown): KeptEntry | undefined {
  const { key, entry: said } = fieldsOf(value);
  const entry = entryIn(said);
  return typeof key === 'string' && entry !== undefined ? { key, entry } : undefined;
}
