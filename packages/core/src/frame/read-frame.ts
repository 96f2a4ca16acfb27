import type { SourceOrigin } from '../label/source.ts';
import { ELEMENTS } from '../text/reserved-names.ts';
import { decodeBody } from './encode-body.ts';
import { NONCE_PATTERN } from './key.ts';

/**
 * The content of a text in the form of a frame. Anyone can write such a text: use `conversation.openFrame()` to check
 * that it is a frame of your conversation.
 *
 * @example
 * ```ts
 * const read: FrameText | undefined = readFrame(text);
 * ```
 */
export interface FrameText {
  readonly origin: SourceOrigin;
  readonly nonce: string;
  /** One text per envelope; a corpus has several. Each is exactly the text that was framed. */
  readonly texts: readonly string[];
  /** The nonce of each envelope. Only the envelopes of a corpus have nonces other than that of the frame. */
  readonly nonces: readonly string[];
  /** True if no envelope was cut. */
  readonly whole: boolean;
}

const ATTRIBUTES = '(?: [a-z]+=[A-Za-z0-9._-]+)*';
const OPENER = new RegExp(`<([a-z_]+) (${NONCE_PATTERN})(${ATTRIBUTES})>`, 'y');
const ENDING = new RegExp(`(${ATTRIBUTES})>`, 'y');

interface Envelope {
  readonly element: string;
  readonly nonce: string;
  readonly attributes: string;
  readonly body: string;
  readonly isWhole: boolean;
  readonly end: number;
}

/** Reads the envelope at `at`. Its closing tag is the first with its nonce, since content cannot contain one. */
function readEnvelope(text: string, at: number): Envelope | undefined {
  OPENER.lastIndex = at;
  const opener = OPENER.exec(text);
  if (opener === null) return undefined;
  const [whole, element, nonce, attributes] = opener as unknown as [string, string, string, string];
  const closer = `</${element} ${nonce}`;
  const closeAt = text.indexOf(closer, at + whole.length);
  if (closeAt < 0) return undefined;
  ENDING.lastIndex = closeAt + closer.length;
  const [endingText, ending] = ENDING.exec(text) ?? [];
  if (endingText === undefined) return undefined;
  const body = text.slice(at + whole.length, closeAt);
  return { element, nonce, attributes, body, isWhole: ending === '', end: closeAt + closer.length + endingText.length };
}

/** The envelopes of a corpus. Nothing may be between them. */
function readChildren({ body }: Envelope): Envelope[] | undefined {
  const children: Envelope[] = [];
  for (let at = 0; at < body.length; ) {
    const child = readEnvelope(body, at);
    if (child?.element !== ELEMENTS.child) return undefined;
    children.push(child);
    at = child.end;
  }
  return children;
}

const ORIGINS: ReadonlyMap<string, SourceOrigin> = new Map([
  [ELEMENTS.user, 'user'],
  [ELEMENTS.system, 'system'],
  [ELEMENTS.workspace, 'workspace'],
  [ELEMENTS.retrieved, 'retrieved'],
  [ELEMENTS.external, 'external'],
]);

/**
 * Reads a text that has the form of a frame from its first to its last character; returns undefined for everything
 * else. It verifies nothing: use `conversation.openFrame()` to check that the frame is one of yours.
 *
 * @example
 * ```ts
 * readFrame(frame(quoted, key).text)?.texts; // the texts that were framed
 * readFrame('<untrusted>'); // undefined
 * ```
 */
export function readFrame(text: string): FrameText | undefined {
  const outer = readEnvelope(text, 0);
  const origin = outer && ORIGINS.get(outer.element);
  if (outer === undefined || origin === undefined || outer.end !== text.length) return undefined;
  const envelopes = origin === 'retrieved' ? readChildren(outer) : [outer];
  const texts = envelopes?.map(({ body, nonce }) => decodeBody(body, nonce)?.text);
  if (envelopes === undefined || texts === undefined || texts.includes(undefined)) return undefined;
  return {
    origin: / origin=unknown\b/.test(outer.attributes) ? 'unknown' : origin,
    nonce: outer.nonce,
    texts: texts as string[],
    nonces: envelopes.map(({ nonce }) => nonce),
    whole: envelopes.every(({ isWhole }) => isWhole),
  };
}
