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
import { type Block, blockOf } from './block.ts';
import { META } from './meta.ts';

export interface ServeOptions<C> {
  /** Who writes, by the name under which your server authenticated him. @default 'agent' */
  readonly writer?: (context: C) => string;
  /** Told which field of a stored submission could not be believed. @default nobody */
  readonly onDoubt?: (field: string) => void;
}

/** What is said of something that was written down. */
export type Said = {
  readonly lifecycle: 'candidate' | 'canonical';
  readonly label: Label;
  readonly standing: TrustClass;
};

/** A tool result of what was written down, with what is known of it. */
export type ReadBack = { content: Block[]; _meta?: Record<string, unknown> };

/** The two sides of a server on which many write. */
export interface Served<C> {
  /**
   * A tool handler that writes. `words` picks what is written out of the arguments; `store` gets it as a submission, to be kept as
   * the JSON it is.
   */
  writes<A, R>(
    words: (given: A, context: C) => Content,
    store: (stored: StoredMemory, given: A, context: C) => PromiseLike<R> | R,
  ): (given: A, context: C) => Promise<R>;
  /** A tool handler that reads. `load` gives what `store` was given; the result says of every block what it is. */
  reads<A>(
    load: (given: A, context: C) => PromiseLike<readonly unknown[]> | readonly unknown[],
  ): (given: A, context: C) => Promise<ReadBack>;
}

function saidOf({ lifecycle, label, trust }: SavedMemory): Said {
  return { lifecycle, label, standing: trust };
}

/** The whole is no better than the worst in it. */
export function worstOf(all: readonly Said[]): Said {
  const worst = all.reduce((most, { standing }) => Math.max(most, TRUST_CLASSES.indexOf(standing)), 0);
  return {
    lifecycle: all.every(({ lifecycle }) => lifecycle === 'canonical') ? 'canonical' : 'candidate',
    label: joinLabels(all.map(({ label }) => label)),
    standing: TRUST_CLASSES[worst] ?? 'flagged',
  };
}

/**
 * For a server of your own on which many agents write: notes, tickets, a memory. What one of them writes is kept as a submission,
 * a candidate with the label of somebody outside, and whoever reads it is told so, until a person promotes it.
 */
export function serve<C = unknown>(boundary: Boundary, options: ServeOptions<C> = {}): Served<C> {
  const { writer = () => 'agent', onDoubt = () => undefined } = options;
  return {
    writes: (words, store) => async (given, context) => {
      const by = writer(context);
      const content = words(given, context);
      const id = `written-${digestText(JSON.stringify([by, content])).slice(0, 32)}`;
      // A conversation of its own: what one agent wrote says nothing about the words of another.
      const conversation = boundary.conversation(id);
      const recorded = conversation.addContent({ id: by, source: source('external', { name: by }), content });
      await conversation.request({ records: [recorded] });
      return store(storeMemory(conversation.saveMemory({ id, content })), given, context);
    },
    reads: (load) => async (given, context) => {
      const found = (await load(given, context)).map((stored) => restoreMemory(stored, onDoubt));
      const content = found.flatMap((submission) =>
        submission.parts.map((part) => ({ ...blockOf(part), _meta: { [META.submission]: saidOf(submission) } })),
      );
      return found.length === 0 ? { content } : { content, _meta: { [META.submission]: worstOf(found.map(saidOf)) } };
    },
  };
}
