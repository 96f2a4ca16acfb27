import { backgroundTimer } from '@sallyport/core/adapter';
import type { Timer } from '@sallyport/core/stages';
import type { UploadExcess } from './load.ts';

export interface BodyLimits {
  /** Maximum size. @default 4 MiB */
  readonly bytes?: number;
  /** Milliseconds from the first byte to the last. @default 20_000 */
  readonly milliseconds?: number;
  /** @default the platform's */
  readonly timer?: Timer;
  /** Counts bytes that have arrived, and says why no more are taken. @default all are */
  readonly count?: (bytes: number) => UploadExcess | undefined;
}

type RefusedStatus = 400 | 408 | 413 | 415 | 429 | 503;

export type Body =
  | { readonly type: 'read'; readonly text: string }
  /** Answer with this status and `Connection: close`, because the rest of the body is still arriving. */
  | { readonly type: 'refused'; readonly status: RefusedStatus; readonly message: string };

const MAX_BODY_BYTES = 4 * 1024 * 1024;
const MILLISECONDS = 20_000;
const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*(?:utf-8|"utf-8")\s*)?$/i;

function refused(status: RefusedStatus, message: string): Body {
  return { type: 'refused', status, message };
}

/** Checks the headers before the body is read. */
function refusedByHead(headers: Headers, bytes: number): Body | undefined {
  if (!JSON_TYPE.test(headers.get('content-type') ?? ''))
    return refused(415, 'The Content-Type must be application/json in UTF-8.');
  // A small compressed body could expand to a large one.
  if (!['', 'identity'].includes(headers.get('content-encoding')?.trim().toLowerCase() ?? ''))
    return refused(415, 'The body must not be compressed.');
  if (Number(headers.get('content-length') ?? 0) > bytes) return tooLong(bytes);
  return undefined;
}

function tooLong(bytes: number): Body {
  return refused(413, `The body must not be longer than ${bytes} bytes.`);
}

const EXCESSES: Readonly<Record<UploadExcess, Body>> = {
  share: refused(429, 'Your open requests have sent too many bytes: wait until some have ended.'),
  bytes: refused(503, 'This replica has too much to do: send the request again.'),
};

function textOf(chunks: readonly Uint8Array[]): Body {
  try {
    return { type: 'read', text: new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)) };
  } catch {
    return refused(400, 'The body is not valid UTF-8.');
  }
}

interface Chunk {
  readonly done: boolean;
  readonly value?: Uint8Array;
}

/** Reads the body of a request as text, within limits of time and size. */
export async function readBody(
  { headers, body }: { readonly headers: Headers; readonly body: ReadableStream<Uint8Array> | null },
  { bytes = MAX_BODY_BYTES, milliseconds = MILLISECONDS, timer = backgroundTimer, count }: BodyLimits = {},
): Promise<Body> {
  const early = refusedByHead(headers, bytes);
  if (early !== undefined || body === null) return early ?? { type: 'read', text: '' };
  const reader = body.getReader();
  let alarm: unknown;
  // One limit for the whole body: a client that sends a byte each second would otherwise never time out.
  const late = new Promise<'late'>((resolve) => {
    alarm = timer.set(() => resolve('late'), milliseconds);
  });
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    while (true) {
      const next: Chunk | 'late' = await Promise.race([reader.read(), late]);
      if (next === 'late') return refused(408, `The body did not arrive within ${milliseconds} milliseconds.`);
      if (next.done || next.value === undefined) return textOf(chunks);
      size += next.value.length;
      if (size > bytes) return tooLong(bytes);
      const excess = count?.(next.value.length);
      if (excess !== undefined) return EXCESSES[excess];
      chunks.push(next.value);
    }
  } catch {
    // The connection broke: the client cannot be told more.
    return refused(400, 'The connection was closed before the whole body had arrived.');
  } finally {
    timer.clear(alarm);
  }
}
