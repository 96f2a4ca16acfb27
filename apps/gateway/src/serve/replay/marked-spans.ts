import { canonicalJson, fieldsOf } from '@sallyport/core/adapter';
import type { Likelihood } from '@sallyport/core/stages';
import type { MemoryOptions } from '@sallyport/mcp-proxy';
import type { RecordedEntry } from '../../store/policy/recorded.ts';
import { isReported } from '../guard/thresholds.ts';
import { readEntry } from '../thread/services.ts';

type OnRead = NonNullable<MemoryOptions['onRead']>;

const BARE = /-bare$/;

/** A test for ids of answers read in the judged time. Definitions of tools are not answers. */
export function newReads(entries: readonly RecordedEntry[]): (id: string) => boolean {
  const ids = entries.flatMap(({ at, conversation, text }) =>
    at === undefined || conversation === 'definitions' ? [] : [fieldsOf(fieldsOf(readEntry(text)).entry)],
  );
  const read = new Set(ids.flatMap(({ type, id }) => (type === 'read' && typeof id === 'string' ? [id] : [])));
  return (id) => read.has(id.replace(BARE, ''));
}

export function isSameThresholds(
  one: ReadonlyMap<string, Likelihood>,
  other: ReadonlyMap<string, Likelihood>,
): boolean {
  return canonicalJson(Object.fromEntries(one)) === canonicalJson(Object.fromEntries(other));
}

/** Counts the marked spans of what is read that other thresholds would not mark. */
export class MarkedSpans {
  readonly #others: ReadonlyMap<string, Likelihood>;
  readonly #isCounted: (id: string) => boolean;
  // A conversation that does not fit into memory is read again.
  readonly #seen = new Set<string>();
  #count = 0;

  constructor(others: ReadonlyMap<string, Likelihood>, isCounted: (id: string) => boolean) {
    this.#others = others;
    this.#isCounted = isCounted;
  }

  get count(): number {
    return this.#count;
  }

  readonly add: OnRead = (recordId, { quoted: { parts } }, { id }) => {
    if (!this.#isCounted(id) || this.#seen.has(recordId)) return;
    this.#seen.add(recordId);
    const spans = parts.flatMap(({ classified: { verdict } }) => (verdict.type === 'checked' ? verdict.spans : []));
    this.#count += spans.filter((span) => !isReported(span, this.#others)).length;
  };
}
