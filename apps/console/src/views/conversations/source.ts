import { useEffect, useState } from 'react';
import { problemIn } from '../../api/problem.ts';
import type { PolicyBody } from '../../api/types.ts';
import type { Entry } from './record/entry.ts';
import { type ReadResult, readEntries } from './record/read-entries.ts';

/** The address of a file that a person has opened. It stays in the browser. */
export const FILE = 'file';

let opened: File | undefined;

export function openFile(file: File): void {
  opened = file;
}

export interface LoadedConversation {
  readonly entries: readonly Entry[];
  readonly unread: number;
  readonly isComplete: boolean;
  readonly error: unknown;
}

const NOTHING: LoadedConversation = { entries: [], unread: 0, isComplete: false, error: undefined };

async function streamOf(
  id: string,
  other: PolicyBody | undefined,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array<ArrayBuffer>> | null> {
  if (id === FILE) return opened?.stream() ?? null;
  const address = `/api/v1/conversations/${encodeURIComponent(id)}`;
  const response = await (other === undefined
    ? fetch(address, { signal, cache: 'no-store' })
    : fetch(`${address}/dry-run`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ body: other }),
        signal,
      }));
  if (!response.ok) throw problemIn(response, await response.json().catch(() => undefined));
  return response.body;
}

/** Loads a conversation, and shows what has arrived while the rest follows. `other`: a policy to try it under. */
export function useConversation(id: string, other?: PolicyBody): LoadedConversation {
  const [loaded, setLoaded] = useState(NOTHING);
  useEffect(() => {
    const gone = new AbortController();
    const show = (result: Partial<LoadedConversation>): void => {
      if (!gone.signal.aborted) setLoaded((known) => ({ ...known, ...result }));
    };
    const load = async (): Promise<void> => {
      setLoaded(NOTHING);
      try {
        const stream = await streamOf(id, other, gone.signal);
        if (stream !== null) await readEntries(stream, (result: ReadResult) => show(result));
        show({ isComplete: true });
      } catch (error) {
        show({ error, isComplete: true });
      }
    };
    void load();
    return () => gone.abort();
  }, [id, other]);
  return loaded;
}
