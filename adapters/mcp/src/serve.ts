import {
  type Boundary,
  type Content,
  type Label,
  restoreMemory,
  type SavedMemory,
  type StoredMemory,
  source,
  storeMemory,
  type TrustClass,
} from '@sallyport/core';
import { digestText } from '@sallyport/core/adapter';
import { joinLabels, TRUST_CLASSES } from '@sallyport/core/stages';
import { responseTags } from '@sallyport/fields';
import { type Block, blockOf } from './block.ts';
import { META } from './meta.ts';
import { type ServerLike, type TagOptions, tagServer } from './tag-server.ts';

/** Options of `serve`. */
export interface ServeOptions<C> extends TagOptions {
  /** The name under which your server authenticated the writer. @default () => 'agent' */
  readonly writer?: (context: C) => string;
  /** Called with the name of a field of a stored entry that cannot be trusted. @default the field is ignored silently */
  readonly onDoubt?: (field: string) => void;
}

/** The status of a stored entry, as the `_meta` entry `sallyport/submission` contains it. */
export type MemoryStatus = {
  readonly lifecycle: 'candidate' | 'canonical';
  readonly label: Label;
  readonly standing: TrustClass;
};

/** A tool result with stored entries, and their status in `_meta`. */
export type ReadResult = { content: Block[]; _meta?: Record<string, unknown> };

/** The tool handlers of a server on which many agents write. */
export interface MemoryHandlers<C> {
  /**
   * Makes a tool handler that writes. `words` selects the content from the arguments; `store` saves the entry, a JSON value, and
   * returns the tool's result.
   */
  writes<A, R>(
    words: (given: A, context: C) => Content,
    store: (stored: StoredMemory, given: A, context: C) => PromiseLike<R> | R,
  ): (given: A, context: C) => Promise<R>;
  /** Makes a tool handler that reads. `load` returns the entries that `store` saved; the result contains the status of each block. */
  reads<A>(
    load: (given: A, context: C) => PromiseLike<readonly unknown[]> | readonly unknown[],
  ): (given: A, context: C) => Promise<ReadResult>;
  /**
   * Makes your server tag every response at one place, on its way out: results of tools, resources and prompts, whichever handler
   * made them. Returns the same server.
   */
  tagged<S extends ServerLike>(server: S): S;
}

function statusOf({ lifecycle, label, trust }: SavedMemory): MemoryStatus {
  return { lifecycle, label, standing: trust };
}

/** The status of several entries: the worst of each field. */
export function worstOf(all: readonly MemoryStatus[]): MemoryStatus {
  const worst = all.reduce((most, { standing }) => Math.max(most, TRUST_CLASSES.indexOf(standing)), 0);
  return {
    lifecycle: all.every(({ lifecycle }) => lifecycle === 'canonical') ? 'canonical' : 'candidate',
    label: joinLabels(all.map(({ label }) => label)),
    standing: TRUST_CLASSES[worst] ?? 'flagged',
  };
}

/**
 * For your own server on which many agents write: notes, tickets, a memory. `tagged` marks what others wrote in every response;
 * `writes` and `reads` make tool handlers. An entry is stored as a candidate with
 * the label of external content, and its readers are told so, until a person promotes it.
 *
 * @example
 * ```ts
 * const notes = serve(boundary, { writer: (extra: { authInfo?: { clientId: string } }) => extra.authInfo?.clientId ?? 'agent' });
 * const server = notes.tagged(new McpServer({ name: 'notes', version: '1.0.0' }));
 * server.registerTool('read_notes', { inputSchema: {} }, notes.reads(() => table.all()));
 * ```
 */
export function serve<C = unknown>(boundary: Boundary, options: ServeOptions<C> = {}): MemoryHandlers<C> {
  const { writer = () => 'agent', onDoubt = () => undefined, fields, onTagged, ...rules } = options;
  const nextResponse = responseTags(rules);
  return {
    tagged: (server) => tagServer(server, nextResponse, { fields, onTagged }),
    writes: (words, store) => async (given, context) => {
      const by = writer(context);
      const content = words(given, context);
      const id = `written-${digestText(JSON.stringify([by, content])).slice(0, 32)}`;
      // Each entry has its own conversation, so that one agent's words do not affect another's.
      const conversation = boundary.conversation(id);
      const recorded = conversation.addContent({ id: by, source: source('external', { name: by }), content });
      await conversation.request({ records: [recorded] });
      return store(storeMemory(conversation.saveMemory({ id, content })), given, context);
    },
    reads: (load) => async (given, context) => {
      const entries = (await load(given, context)).map((stored) => restoreMemory(stored, onDoubt));
      const content = entries.flatMap((entry) =>
        entry.parts.map((part) => ({ ...blockOf(part), _meta: { [META.submission]: statusOf(entry) } })),
      );
      if (entries.length === 0) return { content };
      return { content, _meta: { [META.submission]: worstOf(entries.map(statusOf)) } };
    },
  };
}
