import { describeType, SallyportError } from '../base/errors.ts';
import type { SourceOrigin } from '../label/source.ts';
import type { Media } from '../record/part.ts';
import { ELEMENTS } from '../text/reserved-names.ts';
import { encodeBody } from './encode-body.ts';
import { checkKey, type FrameKey } from './key.ts';
import { Quoted, type QuotedPart } from './mark.ts';

/**
 * The frame of one part: its text, and the media to send with it.
 *
 * @example
 * ```ts
 * const images = framed.pieces.flatMap(({ media }: FramedPiece) => media ?? []);
 * ```
 */
export interface FramedPiece {
  readonly text: string;
  readonly media: Media | undefined;
}

/**
 * The result of `frame()`, which a request contains in place of the content. Frames are sent and never stored.
 *
 * @example
 * ```ts
 * const framed: Framed = frame(quoted, key);
 * messages.push({ role: 'user', content: framed.text });
 * ```
 */
export class Framed {
  readonly #made = true;
  readonly type = 'framed';
  readonly quoted: Quoted;
  readonly #frame: () => readonly FramedPiece[];
  #pieces: readonly FramedPiece[] | undefined;

  constructor(quoted: Quoted, frame: () => readonly FramedPiece[]) {
    this.quoted = quoted;
    this.#frame = frame;
    Object.freeze(this);
  }

  /** The frames, made when they are first read: content that is only recorded needs none. */
  get pieces(): readonly FramedPiece[] {
    this.#pieces ??= Object.freeze(this.#frame());
    return this.#pieces;
  }

  get text(): string {
    return this.pieces.length === 1
      ? (this.pieces[0] as FramedPiece).text
      : this.pieces.map(({ text }) => text).join('\n');
  }

  toString(): string {
    return this.text;
  }

  static is(value: unknown): value is Framed {
    return typeof value === 'object' && value !== null && #made in value;
  }
}

/** Identifies a part: its record, its index in it, and its source. */
export interface PartPosition {
  readonly id: string;
  readonly index: number;
  readonly origin: SourceOrigin;
  readonly name: string | undefined;
}

// A longer name would cost more tokens than the rest of the frame, and the call of a tool result contains it too.
const SHORT_NAME = /^(?=.{1,12}$)[A-Za-z]+(?:[._-][A-Za-z]+)?$/;

function attributesOf({ classified }: QuotedPart, { origin, name = '' }: PartPosition): string {
  const { limited, verdict } = classified;
  const { type } = limited.part;
  let attributes = SHORT_NAME.test(name) ? ` from=${name}` : '';
  if (origin === 'unknown') attributes += ' origin=unknown';
  if (type !== 'text' && type !== 'json') attributes += ` type=${type}`;
  if (limited.media !== undefined) attributes += ' media=attached';
  if (limited.mediaWithheld) attributes += ' media=withheld';
  // Media is not classified.
  const isUnchecked = verdict.type === 'unchecked' || (limited.media !== undefined && verdict.type === 'checked');
  return isUnchecked ? `${attributes} check=none` : attributes;
}

function envelopeOf(element: string, quoted: QuotedPart, key: FrameKey, position: PartPosition): string {
  const { text, cut } = quoted.classified.limited;
  const nonce = key.nonce('nonce', position.id, position.index);
  const gap = cut && { at: cut.at, count: cut.totalBytes - cut.shownBytes };
  const body = encodeBody(text, { marks: quoted.marks, markers: quoted.markers, gap }, nonce);
  const ending = cut === undefined ? '' : ` shown=${cut.shownBytes} of=${cut.totalBytes}`;
  return `<${element} ${nonce}${attributesOf(quoted, position)}>${body}</${element} ${nonce}${ending}>`;
}

/** Frames one part. The nonce depends only on the key, the record's id and the part's index, never on the content. */
export function framePart(quoted: QuotedPart, key: FrameKey, position: PartPosition): string {
  if (position.origin === 'retrieved') return frameCorpus([quoted], key, [position]);
  return envelopeOf(ELEMENTS[position.origin], quoted, key, position);
}

/** Frames retrieved parts as one corpus, each in its own envelope, so that a poisoned one cannot affect the others. */
function frameCorpus(parts: readonly QuotedPart[], key: FrameKey, positions: readonly PartPosition[]): string {
  const { id, index } = positions[0] as PartPosition;
  const children = parts.map((part, at) => envelopeOf(ELEMENTS.child, part, key, positions[at] as PartPosition));
  const nonce = key.nonce('corpus', id, index);
  return `<${ELEMENTS.retrieved} ${nonce}>${children.join('')}</${ELEMENTS.retrieved} ${nonce}>`;
}

/**
 * Frames every part of a record for one conversation. The same record and key always give the same bytes.
 *
 * @example
 * ```ts
 * const key = deriveKey(master, 'conversation-1');
 * const framed = frame(quote(classified, vocabularyFor()), key);
 * ```
 */
export function frame(quoted: Quoted, key: FrameKey): Framed {
  if (!Quoted.is(quoted))
    throw new SallyportError(
      'ERR_STAGE_SKIPPED',
      `frame() takes the result of quote(); received ${describeType(quoted)}.`,
    );
  checkKey(key);
  const { recorded } = quoted.classified.limited;
  const positions = quoted.parts.map(({ classified: { limited } }, index) => ({
    id: recorded.id,
    index,
    origin: recorded.originOf(limited.part),
    name: recorded.source.name,
  }));
  const isCorpus = positions.length > 0 && positions.every(({ origin }) => origin === 'retrieved');
  return new Framed(quoted, () => {
    if (isCorpus) return [{ text: frameCorpus(quoted.parts, key, positions), media: undefined }];
    return quoted.parts.map((part, index) =>
      Object.freeze({
        text: framePart(part, key, positions[index] as PartPosition),
        media: part.classified.limited.media,
      }),
    );
  });
}
