import { digestText } from '../base/digest.ts';
import { describeType, SallyportError } from '../base/errors.ts';
import type { Framed } from '../frame/frame.ts';
import { HIGHEST } from '../label/label.ts';
import { UNKNOWN_SOURCE } from '../label/source.ts';
import { type Content, readContent, surfaceOf } from '../record/part.ts';
import { Recorded } from '../record/record.ts';
import { type Between, neutralizeBetween, tailOf } from '../text/escape-markers.ts';
import type { Vocabulary } from '../text/reserved-names.ts';
import { locateValues, type Position } from './sections.ts';

/** A literal of the developer, or a value between two literals. */
type Segment = { readonly literal: string } | { readonly value: Recorded };

/** A value and its position in the prompt: a free value is framed; one inside a section or a tag is escaped. */
interface Slot {
  readonly value: Recorded;
  readonly position: Position;
}

/**
 * A value in a `prompt`. Strings, records and JSON are data; numbers, booleans and nested prompts become part of the
 * policy.
 *
 * @example
 * ```ts
 * const values: PromptValue[] = ['some text', 3, { json: { price: 12 } }, prompt`Answer in English.`];
 * ```
 */
export type PromptValue =
  | string
  | number
  | boolean
  | Recorded
  | Prompt
  | readonly Prompt[]
  | { readonly json: unknown };

/**
 * The developer's policy with data in it, made by the tag `prompt`. It becomes text only in a request: converting it to
 * a string throws an error.
 *
 * @example
 * ```ts
 * const policy: Prompt = prompt`You answer questions about <page>${page}</page>.`;
 * ```
 */
export class Prompt {
  readonly #segments: readonly Segment[];
  readonly type = 'prompt';
  /** The tag names in the literals. They are reserved in all content that is sent with the prompt. */
  readonly sections: readonly string[];
  readonly #slots: readonly Slot[];

  constructor(segments: readonly Segment[]) {
    this.#segments = joinLiterals(segments);
    const literals = this.#segments.map((segment) => ('literal' in segment ? segment.literal : undefined));
    const { sections, positions } = locateValues(literals);
    this.sections = sections;
    const values = this.#segments.flatMap((segment) => ('value' in segment ? [segment.value] : []));
    this.#slots = values.map((value, index) => ({ value, position: positions[index] as Position }));
    Object.freeze(this);
  }

  /** All data in the prompt. */
  get values(): readonly Recorded[] {
    return this.#slots.map(({ value }) => value);
  }

  /** The values that are framed: those outside sections and tags. */
  get free(): readonly Recorded[] {
    return this.#slots.filter(({ position }) => position === 'free').map(({ value }) => value);
  }

  /** The text of the prompt. `framed` returns the frame of each free value. */
  render(vocabulary: Vocabulary, framed: (value: Recorded) => Framed): string {
    let before = '';
    let next = 0;
    const pieces = this.#segments.map((segment, index) => {
      const around = { ...this.#followedBy(index), before, vocabulary, framed };
      const piece = 'literal' in segment ? segment.literal : renderSlot(this.#slots[next++] as Slot, around);
      before = tailOf(before + piece);
      return piece;
    });
    return pieces.join('');
  }

  /**
   * The literal after a value, with a flag that is set if another value follows it. Adjacent literals have been joined.
   */
  #followedBy(index: number): Pick<Between, 'after' | 'isFollowed'> {
    const segment = this.#segments[index + 1];
    const isLiteral = segment !== undefined && 'literal' in segment;
    const following = this.#segments[isLiteral ? index + 2 : index + 1];
    return { after: isLiteral ? segment.literal : '', isFollowed: following !== undefined };
  }

  static segmentsOf(prompt: Prompt): readonly Segment[] {
    return prompt.#segments;
  }

  /** Always throws: in JSON the values would not be framed. */
  toJSON(): never {
    return this.toString();
  }

  /** Always throws: in a string the values would not be framed. */
  toString(): never {
    throw new SallyportError(
      'ERR_INVALID_PROMPT',
      'A prompt cannot be converted to a string. Pass it to request({ policy }) and send the `system` of the result.',
    );
  }

  static is(value: unknown): value is Prompt {
    return typeof value === 'object' && value !== null && #segments in value;
  }
}

interface Surroundings extends Between {
  readonly vocabulary: Vocabulary;
  readonly framed: (value: Recorded) => Framed;
}

function renderSlot({ value, position }: Slot, { vocabulary, framed, ...between }: Surroundings): string {
  const text = (): string => value.parts.map(surfaceOf).join('\n');
  switch (position) {
    case 'free':
      return framed(value).text;
    case 'section':
      return neutralizeBetween(text(), between, vocabulary);
    case 'attribute':
      return neutralizeBetween(attributeValue(text()), between, vocabulary);
  }
}

const MAX_ATTRIBUTE = 64;

/** A text as an attribute value: characters other than letters, digits and . _ : / @ - are replaced with _. */
export function attributeValue(text: string): string {
  return text.slice(0, MAX_ATTRIBUTE).replace(/[^A-Za-z0-9._:/@-]/g, '_');
}

function contentOf(value: PromptValue): Content {
  if (typeof value === 'string') return value;
  if (typeof value === 'object' && value !== null && 'json' in value) return { json: value.json };
  throw new SallyportError(
    'ERR_INVALID_PROMPT',
    `A value in a prompt must be a string, number, boolean, record, prompt or { json: value }; received ${describeType(value)}.`,
  );
}

/** Makes a record of a value. Its id is the digest of its content, so that the same text always has the same frame. */
function recordValue(value: PromptValue): Recorded {
  const parts = readContent(contentOf(value));
  const id = `prompt/${digestText(parts.map((part) => `${part.type} ${surfaceOf(part)}`).join('\n'))}`;
  return new Recorded({ id, source: UNKNOWN_SOURCE, parts, derivation: [], floor: HIGHEST });
}

/** Joins adjacent literals: a nested prompt may contain one half of a tag or token. */
function joinLiterals(segments: readonly Segment[]): readonly Segment[] {
  const joined: Segment[] = [];
  for (const segment of segments) {
    const last = joined.at(-1);
    if ('literal' in segment && last !== undefined && 'literal' in last)
      joined[joined.length - 1] = { literal: last.literal + segment.literal };
    else joined.push(segment);
  }
  return joined;
}

function segmentsFor(value: PromptValue): readonly Segment[] {
  if (Prompt.is(value)) return Prompt.segmentsOf(value);
  if (Array.isArray(value) && value.every(Prompt.is)) return value.flatMap(Prompt.segmentsOf);
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value)))
    return [{ literal: String(value) }];
  return [{ value: Recorded.is(value) ? value : recordValue(value) }];
}

/**
 * Makes policy of text that is not a literal, such as a prompt in a file of your own. Nothing in it is escaped, so it
 * must not contain text of others.
 *
 * @example
 * ```ts
 * const policy = prompt[dangerouslyTrust](await readFile('system-prompt.md', 'utf8'));
 * ```
 */
export const dangerouslyTrust: unique symbol = Symbol('dangerouslyTrust');

/**
 * The type of the tag `prompt`.
 *
 * @example
 * ```ts
 * const write = (tag: PromptTag) => tag`Answer in English.`;
 * ```
 */
export interface PromptTag {
  (strings: TemplateStringsArray, ...values: readonly PromptValue[]): Prompt;
  [dangerouslyTrust](text: string): Prompt;
}

/**
 * Makes a prompt of literals with a value after each but the last. The caller must ensure that the literals are policy
 * text.
 */
export function fillPrompt(literals: readonly string[], values: readonly PromptValue[]): Prompt {
  return new Prompt(
    literals.flatMap((literal, index) => {
      const rest = index < values.length ? segmentsFor(values[index] as PromptValue) : [];
      return [{ literal }, ...rest];
    }),
  );
}

function tag(strings: TemplateStringsArray, ...values: readonly PromptValue[]): Prompt {
  // The strings of a real template are frozen. An array built from other text is not.
  if (
    !Array.isArray(strings) ||
    !Object.isFrozen(strings) ||
    !Object.isFrozen(strings.raw) ||
    !Array.isArray(strings.raw)
  )
    throw new SallyportError(
      'ERR_INVALID_PROMPT',
      'Use prompt`...` as a template tag. A call with a string would make data part of the policy.',
    );
  if (!strings.every((literal) => typeof literal === 'string'))
    throw new SallyportError('ERR_INVALID_PROMPT', 'The template contains an invalid escape sequence.');
  return fillPrompt(strings, values);
}

/**
 * Makes a prompt from a tagged template, like SQL with parameters: the literals are policy, the values are data. Tags
 * in the literals are reserved, so that no value can close its section or open another.
 *
 * @example
 * ```ts
 * const policy = prompt`You review merge requests. The description is in <mr_body>${description}</mr_body>.`;
 * const { system } = await conversation.request({ policy });
 * ```
 */
export const prompt: PromptTag = Object.assign(tag, {
  [dangerouslyTrust]: (text: string): Prompt => new Prompt([{ literal: String(text) }]),
});
