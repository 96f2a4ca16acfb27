import { fieldsOf } from '@sallyport/core/adapter';

/** An input of a conversation, stored so that another process can rebuild its state. */
export type Entry =
  /** Texts that were read, and strings that stayed unframed. */
  | {
      readonly type: 'read';
      readonly id: string;
      readonly server: string;
      readonly tool?: string | undefined;
      readonly texts: readonly string[];
      readonly bare: readonly string[];
    }
  /** A proposed call. Its result may repeat the content that chose its arguments. */
  | { readonly type: 'call'; readonly id: string; readonly tool: string; readonly arguments: unknown };

/** An entry with a unique key, by which the process that wrote it recognizes it. */
export interface KeptEntry {
  readonly key: string;
  readonly entry: Entry;
}

/** Stores conversations that several processes serve. */
export interface MemoryLog {
  /**
   * The entries of a conversation after a position, in order. 0 returns all. An entry must never become visible before
   * a position that was already read. Return an entry without `kept` in place of a deleted one.
   */
  since(conversation: string, after: number): PromiseLike<readonly { readonly at: number; readonly kept: unknown }[]>;
  /** Stores an entry. Resolves when it is durable. */
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

/** Parses an entry from the store. Undefined if it is invalid: the conversation may then have read any value. */
export function readKept(value: unknown): KeptEntry | undefined {
  const fields = fieldsOf(value);
  const { key } = fields;
  const entry = entryIn(fields.entry);
  return typeof key === 'string' && entry !== undefined ? { key, entry } : undefined;
}
