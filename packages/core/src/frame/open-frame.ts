import { digestText } from '../base/digest.ts';
import type { SourceOrigin } from '../label/source.ts';
import { ELEMENTS } from '../text/reserved-names.ts';
import { decodeBody } from './encode-body.ts';
import { insideOf, sealOf, WARNING } from './frame.ts';
import { CODE_PATTERN, checkKey, type FrameKey } from './key.ts';
import type { Mark } from './mark.ts';

/**
 * The content of a frame whose seal is valid.
 *
 * @example
 * ```ts
 * const opened: Opened | undefined = openFrame(text, key);
 * if (opened?.origin === 'user') console.log(opened.texts[0]);
 * ```
 */
export interface Opened {
  readonly element: string;
  /** The origin that it was framed with. */
  readonly origin: SourceOrigin;
  readonly nonce: string;
  readonly from: string | undefined;
  /** One text per envelope, several for a corpus. Each is exactly the text that was shown. */
  readonly texts: readonly string[];
  readonly marks: readonly (readonly Mark[])[];
  readonly isJson: readonly boolean[];
  /** Whether nothing was cut from any envelope. */
  readonly whole: boolean;
}

const ATTRIBUTES = '(?: [a-z]+=[A-Za-z0-9._:/@-]+)*';
const OPENER = new RegExp(`<([a-z_]+)_(${CODE_PATTERN})(${ATTRIBUTES})>`, 'y');
const CLOSER = new RegExp(`</([a-z_]+)_(${CODE_PATTERN}) seal=(${CODE_PATTERN})(${ATTRIBUTES})>`, 'y');

interface Envelope {
  readonly element: string;
  readonly nonce: string;
  readonly attributes: string;
  readonly body: string;
  readonly seal: string;
  readonly ending: string;
  readonly end: number;
}

/** Reads the envelope at `at`. Its closing tag is the first with its nonce, since content cannot contain one. */
function readEnvelope(text: string, at: number): Envelope | undefined {
  OPENER.lastIndex = at;
  const opener = OPENER.exec(text);
  if (opener === null) return undefined;
  const [whole, element, nonce, attributes] = opener as unknown as [string, string, string, string];
  const closeAt = text.indexOf(`</${element}_${nonce}`, at + whole.length);
  if (closeAt < 0) return undefined;
  CLOSER.lastIndex = closeAt;
  const closer = CLOSER.exec(text);
  if (closer === null) return undefined;
  const [closerText, , , seal, ending] = closer as unknown as [string, string, string, string, string];
  const body = text.slice(at + whole.length, closeAt);
  return { element, nonce, attributes, body, seal, ending, end: closeAt + closerText.length };
}

interface Inner {
  readonly text: string;
  readonly marks: readonly Mark[];
  readonly inside: string;
}

function readBody({ body, nonce }: Envelope): Inner | undefined {
  const decoded = decodeBody(body, nonce);
  if (decoded === undefined) return undefined;
  const { text, layout } = decoded;
  return { text, marks: layout.marks, inside: insideOf(digestText(text), layout) };
}

function isEqual(one: string, other: string): boolean {
  let difference = one.length ^ other.length;
  for (let index = 0; index < one.length; index++) difference |= one.charCodeAt(index) ^ other.charCodeAt(index);
  return difference === 0;
}

function isSealed(key: FrameKey, { element, nonce, attributes, ending, seal }: Envelope, inside: string): boolean {
  return isEqual(seal, sealOf(key, { nonce, opener: `${element}${attributes}`, closer: ending, inside }));
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

function originOf({ element, attributes }: Envelope): SourceOrigin {
  return / origin=unknown\b/.test(attributes) ? 'unknown' : (ORIGINS.get(element) ?? 'unknown');
}

/**
 * Opens a frame that was made with this key and is unchanged; returns undefined for everything else. A text counts as a
 * frame only if its seal is valid: a changed content, tag or mark makes it plain text.
 *
 * @example
 * ```ts
 * openFrame(frame(quoted, key).text, key)?.texts; // the texts that were framed
 * openFrame('<untrusted_content_x>', key); // undefined
 * ```
 */
export function openFrame(text: string, key: FrameKey): Opened | undefined {
  checkKey(key);
  const start = text.startsWith(WARNING) ? WARNING.length : 0;
  const outer = readEnvelope(text, start);
  if (outer === undefined || outer.end !== text.length || !ORIGINS.has(outer.element)) return undefined;
  if ((outer.element === ELEMENTS.external) !== start > 0) return undefined;
  const envelopes = outer.element === ELEMENTS.retrieved ? readChildren(outer) : [outer];
  const inner = envelopes?.map(readBody);
  if (envelopes === undefined || inner === undefined || inner.includes(undefined)) return undefined;
  const bodies = inner as Inner[];
  if (!isSealed(key, outer, bodies.map(({ inside }) => inside).join('\n'))) return undefined;
  if (
    outer.element === ELEMENTS.retrieved &&
    !envelopes.every((child, index) => isSealed(key, child, (bodies[index] as Inner).inside))
  )
    return undefined;
  return {
    element: outer.element,
    origin: originOf(outer),
    nonce: outer.nonce,
    from: / from=(\S+)/.exec(outer.attributes)?.[1],
    texts: bodies.map((body) => body.text),
    marks: bodies.map((body) => body.marks),
    isJson: envelopes.map(({ attributes }) => / type=json\b/.test(attributes)),
    whole: envelopes.every(({ ending }) => ending === ''),
  };
}
