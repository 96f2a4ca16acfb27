import { isEntry } from './check-entry.ts';
import type { Entry } from './entry.ts';

const BATCH = 1000;

export interface ReadResult {
  readonly entries: readonly Entry[];
  /** Lines that are not entries, or that have the id of another one: arrows lead to ids. */
  readonly unread: number;
}

function entryIn(line: string): Entry | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isEntry(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

async function* linesOf(stream: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const lines = (rest + value).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  yield rest;
}

/** Reads entries, one JSON object a line, and hands over what there is from time to time. */
export async function readEntries(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  onBatch: (result: ReadResult) => void,
): Promise<void> {
  const entries: Entry[] = [];
  const ids = new Set<string>();
  let unread = 0;
  for await (const line of linesOf(stream)) {
    if (line.trim() === '') continue;
    const entry = entryIn(line);
    const isRepeated = entry !== undefined && entry.type !== 'end' && ids.has(entry.id);
    if (entry === undefined || isRepeated) unread++;
    else {
      entries.push(entry);
      if (entry.type !== 'end') ids.add(entry.id);
    }
    if (entries.length % BATCH === 0) onBatch({ entries: entries.slice(), unread });
  }
  onBatch({ entries, unread });
}
