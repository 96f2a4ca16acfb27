import { digestText } from '../base/digest.ts';
import { SallyportError } from '../base/errors.ts';
import { attributeValue, type Framed } from '../frame/frame.ts';
import { HIGHEST } from '../label/label.ts';
import { UNKNOWN_SOURCE } from '../label/source.ts';
import { type Content, readContent, surfaceOf } from '../record/part.ts';
import { Recorded } from '../record/record.ts';
import { type Between, neutralizeBetween, tailOf } from '../text/escape-markers.ts';
import type { Vocabulary } from '../text/reserved-names.ts';
import { type Position, placeValues } from './sections.ts';

/** A literal of the developer's, or a value that stood between two of them. */
type Segment = { readonly literal: string } | { readonly value: Recorded };

/** Data in a prompt, with where it stands: framed when free, escaped inside a section or a tag. */
interface Slot {
  readonly value: Recorded;
  readonly position: Position;
}

/** What may stand between the literals of a `prompt`. Everything but a nested prompt is data. */
export type PromptValue =
  | string
  | number
  | boolean
  | Recorded
  | Prompt
  | readonly Prompt[]
  | { readonly json: unknown };

/** Policy with data in it. Only a rendering turns it into text: joining it to a string throws. */
export class Prompt {
  readonly #segments: readonly Segment[];
  readonly type = 'prompt';
  /** The tags in the literals, reserved in everything the prompt is sent with. */
  readonly sections: readonly string[];
  readonly #slots: readonly Slot[];

  constructor(segments: readonly Segment[]) {
    this.#segments = joinLiterals(segments);
    const literals = this.#segments.map((segment) => ('literal' in segment ? segment.literal : undefined));
    const { sections, positions } = placeValues(literals);
    this.sections = sections;
    const values = this.#segments.flatMap((segment) => ('value' in segment ? [segment.value] : []));
    this.#slots = values.map((value, index) => ({ value, position: positions[index] as Position }));
    Object.freeze(this);
  }

  /** Everything in the prompt that is not the developer's. */
  get values(): readonly Recorded[] {
    return this.#slots.map(({ value }) => value);
  }

  /** The values that need an envelope. */
  get free(): readonly Recorded[] {
    return this.#slots.filter(({ position }) => position === 'free').map(({ value }) => value);
  }

  /** The text of the prompt. `framed` gives the envelope of each free value. */
  render(vocabulary: Vocabulary, framed: (value: Recorded) => Framed): string {
    let before = '';
    let next = 0;
    const pieces = this.#segments.map((segment, index) => {
      const around = { ...this.#behind(index), before, vocabulary, framed };
      const piece = 'literal' in segment ? segment.literal : renderSlot(this.#slots[next++] as Slot, around);
      before = tailOf(before + piece);
      return piece;
    });
    return pieces.join('');
  }

  /** The literal behind a value, and whether another value comes then. Literals are joined: no two are neighbours. */
  #behind(index: number): Pick<Between, 'after' | 'isFollowed'> {
    const segment = this.#segments[index + 1];
    const isLiteral = segment !== undefined && 'literal' in segment;
    const following = this.#segments[isLiteral ? index + 2 : index + 1];
    return { after: isLiteral ? segment.literal : '', isFollowed: following !== undefined };
  }

  static segmentsOf(prompt: Prompt): readonly Segment[] {
    return prompt.#segments;
  }

  /** As text its values would be gone, and as JSON they would be in the open. */
  toJSON(): never {
    return this.toString();
  }

  toString(): never {
    throw new SallyportError(
      'ERR_INVALID_PROMPT',
      'A prompt is not a string: pass it as request({ policy }), and send the `system` of the result.',
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

function contentOf(value: PromptValue): Content {
  if (typeof value === 'string') return value;
  if (typeof value === 'object' && value !== null && 'json' in value) return { json: value.json };
  throw new SallyportError(
    'ERR_INVALID_PROMPT',
    'A prompt takes strings, numbers, booleans, records, prompts or { json: value }. null and undefined are not text.',
  );
}

/** A value nobody recorded. Its id is its content: the same text has the same frame wherever it stands. */
function recordValue(value: PromptValue): Recorded {
  const parts = readContent(contentOf(value));
  const id = `prompt/${digestText(parts.map((part) => `${part.type} ${surfaceOf(part)}`).join('\n'))}`;
  return new Recorded({ id, source: UNKNOWN_SOURCE, parts, derivation: [], floor: HIGHEST });
}

/** Neighbouring literals as one: a tag or a token may be written partly in a nested prompt. */
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

/** For text that is policy but not a literal, such as a prompt kept in a file of your own. Nothing in it is escaped. */
export const dangerouslyTrust: unique symbol = Symbol('dangerouslyTrust');

export interface PromptTag {
  (strings: TemplateStringsArray, ...values: readonly PromptValue[]): Prompt;
  [dangerouslyTrust](text: string): Prompt;
}

/** A prompt of the developer's literals with a value behind each but the last. Whoever calls it answers for the literals. */
export function fillPrompt(literals: readonly string[], values: readonly PromptValue[]): Prompt {
  return new Prompt(
    literals.flatMap((literal, index) => {
      const rest = index < values.length ? segmentsFor(values[index] as PromptValue) : [];
      return [{ literal }, ...rest];
    }),
  );
}

function tag(strings: TemplateStringsArray, ...values: readonly PromptValue[]): Prompt {
  // A real template's strings are frozen: an array made of somebody's text is not.
  if (
    !Array.isArray(strings) ||
    !Object.isFrozen(strings) ||
    !Object.isFrozen(strings.raw) ||
    !Array.isArray(strings.raw)
  )
    throw new SallyportError(
      'ERR_INVALID_PROMPT',
      'Write prompt`...` as a template: a call with a string makes data policy.',
    );
  if (!strings.every((literal) => typeof literal === 'string'))
    throw new SallyportError('ERR_INVALID_PROMPT', 'The template holds an escape sequence that is not valid.');
  return fillPrompt(strings, values);
}

/**
 * A prompt as a tagged template, like SQL with parameters: the literals are policy, whatever stands between them is
 * data. Section tags found in the literals are reserved, so no value can close its section or open another.
 */
export const prompt: PromptTag = Object.assign(tag, {
  [dangerouslyTrust]: (text: string): Prompt => new Prompt([{ literal: String(text) }]),
});
