import type { Entry } from './entry.ts';

const BATCH = 1000;

export interface ReadResult {
  readonly entries: readonly Entry[];
  /** Lines that are not entries. */
  readonly unread: number;
}

function isEntry(value: unknown): value is Entry {
  if (typeof value !== 'object' || value === null) return false;
  const { type, id, text, spans, values } = value as Record<string, unknown>;
  if (type === 'end') return true;
  if (typeof id !== 'string') return false;
  return type === 'text' ? typeof text === 'string' && Array.isArray(spans) : type === 'call' && Array.isArray(values);
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
  let unread = 0;
  for await (const line of linesOf(stream)) {
    if (line.trim() === '') continue;
    const entry = entryIn(line);
    if (entry === undefined) unread++;
    else entries.push(entry);
    if (entries.length % BATCH === 0) onBatch({ entries: entries.slice(), unread });
  }
  onBatch({ entries, unread });
}
