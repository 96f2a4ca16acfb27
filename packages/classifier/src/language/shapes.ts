import { isRequest } from './is-request.ts';
import { CLASSES, type WordClass } from './lexicon.ts';
import { LABELS, NOTICES, PROMPTS } from './role-labels.ts';
import type { Segments } from './segments.ts';
import { type Block, countLetters, TextContext } from './shape-context.ts';

/**
 * Blocks that imitate the formats of a model's messages and calls. A page or a mail has no reason to contain them.
 * Documentation, logs and prompts do, so a block adds little or nothing if it is quoted in a text about models, or if
 * the whole text is a record of a conversation.
 */
type Kind = 'token' | 'system' | 'call' | 'role' | 'label' | 'notice' | 'turn';

export type ShapeTag = 'system-prompt-shaped' | 'tool-invocation-shaped';

/** Log odds that a block adds to its segments. */
interface Worth {
  readonly inText: number;
  /** If the text consists of it alone, and may be a record. */
  readonly alone: number;
}

const WORTHS: Readonly<Record<Kind, Worth>> = {
  token: { inText: 9.5, alone: 0 },
  system: { inText: 9.5, alone: 7 },
  call: { inText: 7, alone: 0 },
  role: { inText: 7, alone: 7 },
  label: { inText: 7, alone: 7 },
  notice: { inText: 3.5, alone: 3.5 },
  turn: { inText: 7, alone: 0 },
};

/** The lowest score of a segment in such a block that requests an action. */
const FLOOR = 9;

const ROLE = '(?:system|developer)(?:[-_ ](?:prompt|message|instructions?|reminder|note|notice|update|override))?';

/** The markers of a block. Each group of the expression has a kind, and a flag for JSON. */
const MARKERS: readonly (readonly [kind: Kind, isJson: boolean, pattern: string])[] = [
  // ChatML, Llama, Phi, gpt-oss, Kimi and DeepSeek; Mistral and Llama 2; Gemma.
  ['call', false, '<\\|(?:python_tag|tool_calls?[a-z_]{0,30})\\|>|\\[TOOL_CALLS\\]'],
  [
    'system',
    false,
    '<\\|(?:im_start|start_header_id|start)\\|>\\s{0,2}(?:system|developer)\\b|<\\|(?:system|developer)\\|>',
  ],
  ['system', false, '\\[SYSTEM_PROMPT\\]|<<SYS>>'],
  ['token', false, '<\\|[a-z][a-z_0-9]{1,40}\\|>|\\[/?(?:INST|AVAILABLE_TOOLS|TOOL_RESULTS)\\]|\\[/SYSTEM_PROMPT\\]'],
  ['token', false, '<</SYS>>|<(?:start|end)_of_turn>'],
  ['call', false, '</?(?:tool_calls?|function_calls?|tool_use|tool_result|tool_response)>|<(?:antml:)?invoke name='],
  ['call', false, '```(?:tool_code|tool_call)\\b'],
  // Anthropic, OpenAI, Gemini and Bedrock.
  ['call', true, '"type"\\s{0,4}:\\s{0,4}"(?:tool_use|function_call|tool_call)"'],
  ['call', true, '"(?:tool_calls|functionCall|function_call|toolUse)"\\s{0,4}:\\s{0,4}[[{]'],
  ['call', true, '"function"\\s{0,4}:\\s{0,4}\\{\\s{0,8}"name"'],
  ['role', false, `(?<!\\w)</?${ROLE}>`],
  ['role', true, '"role"\\s{0,4}:\\s{0,4}"(?:system|developer)"'],
  ['turn', false, '(?<=\\n\\s{0,4}\\n)(?:Human|User):'],
];
const MARKER = new RegExp(MARKERS.map(([, , pattern]) => `(${pattern})`).join('|'), 'gi');

function anyOf(lists: readonly string[]): string {
  // The view decomposes the Thai vowel am.
  return lists.join('|').replaceAll(' ', '|').replaceAll('_', ' ').replaceAll('\u0e33', '(?:\u0e33|\u0e4d\u0e32)');
}

const LEAD = '[\\s>*#_"\'`(\\[{</!%]{0,12}';
const NEW =
  '(?:new|updated|revised|additional|urgent|neue|nouvelles?|nueva|nova|nuova|nowa|\u043d\u043e\u0432\u0430\u044f|yeni|\u65b0\u7684?|\u65b0\u3057\u3044|\uc0c8\ub85c\uc6b4) ?';
const CLOSE = '\\s{0,2}[\\]*_)}>]{0,4}\\s{0,2}';
const COLON = '[:\uff1a]';
const LABEL = new RegExp(
  [
    `${LEAD}${NEW}(?:${anyOf(LABELS)}|${anyOf(PROMPTS)})${CLOSE}(?:${COLON}|\\.?(?=\\n|$))`,
    `${LEAD}(?:${anyOf(LABELS)})${CLOSE}${COLON}`,
    // Alpaca. A page has a heading of instructions, in the plural.
    `#{1,6}\\s?(?:instruction|system|developer)(?: prompt| message)?\\s?${COLON}`,
  ].join('|'),
  'iy',
);
// In brackets without a colon, more must follow in the line: otherwise it is a section of a configuration.
const NOTICE = new RegExp(
  `${LEAD}(?:${NEW})?(?:${anyOf(NOTICES)})(?:\\](?=[^\\n]{0,80}[a-z\u00c0-\uffff])|${CLOSE}${COLON})`,
  'iy',
);

interface Shape extends Block {
  readonly kind: Kind;
  readonly isJson: boolean;
}

const REACH = 600;
const BLANK_LINE = /\n\s{0,8}\n/;

/** The end of a marker's content: the next marker, a blank line, or the length of a segment or two. */
function endOf(text: string, from: number, next: number): number {
  const content = text.slice(from, Math.min(next, from + REACH));
  const lead = content.length - content.trimStart().length;
  const blank = content.slice(lead).search(BLANK_LINE);
  return from + (blank < 0 ? content.length : lead + blank);
}

function findShapes(text: string): Shape[] {
  const markers = [...text.matchAll(MARKER)];
  return markers.map((match, index) => {
    const group = match.findIndex((found, at) => at > 0 && found !== undefined);
    const [kind, isJson] = MARKERS[group - 1] as (typeof MARKERS)[number];
    const from = match.index + match[0].length;
    const end = endOf(text, from, markers[index + 1]?.index ?? text.length);
    return { kind, isJson, start: match.index, from, end };
  });
}

/** A label at the start of a segment, with the text after it. */
function findLabel(text: string, start: number, end: number): Shape | undefined {
  for (const [kind, label] of [
    ['label', LABEL],
    ['notice', NOTICE],
  ] as const) {
    label.lastIndex = start;
    if (!label.test(text) || label.lastIndex > end) continue;
    const from = label.lastIndex;
    const isWhole = countLetters(text.slice(from, end)) >= 4;
    const reach = kind === 'notice' && isWhole ? end : endOf(text, from, from + 300);
    return { kind, isJson: false, start, from, end: reach };
  }
  return undefined;
}

const NAME = /name["']?\s{0,4}[:=]\s{0,4}["']([\w.:-]{2,60})|\bfunctions\.(\w{2,60})|\b([a-z]\w{2,60})\(/i;
const EFFECTS: ReadonlySet<string> = new Set(
  (
    'send email mail post publish share forward reply upload invite message pay transfer wire buy purchase order book refund ' +
    'delete remove drop wipe cancel revoke update set change create add write edit move rename grant approve append insert ' +
    'copy archive close block reset schedule subscribe sign confirm accept activate release withdraw donate sell trade stop ' +
    'restart run exec execute shell bash command install deploy merge push commit submit disable enable unlock open save'
  ).split(' '),
);
const LOOKUPS: ReadonlySet<string> = new Set(
  'get list read search find fetch lookup look query show view check count describe is has'.split(' '),
);

/** Checks the name of a call for an effect: `send_mail` has one, `list_orders` looks something up. */
function isEffect(text: string): boolean {
  const name = NAME.exec(text)
    ?.slice(1)
    .find((group) => group !== undefined);
  if (name === undefined) return false;
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z]+/);
  return !LOOKUPS.has(words[0] as string) && words.some((word) => EFFECTS.has(word));
}

const [YOU, ASSISTANT, USER] = (['you', 'assistant', 'user'] satisfies WordClass[]).map(
  (name) => 1 << CLASSES.indexOf(name),
) as [number, number, number];

/** The model's turn after the user's. */
const ANSWER = /\n\s{0,4}(?:Assistant|AI|Model):/i;

/** A word before a colon or in brackets, with which a message begins. */
const SPEAKER = /^[^\p{L}]{0,12}\p{L}{2,16}\s?(?:\]\s?)?[:\uff1a]?\s{0,4}/u;

/** A segment of a text. A text of markers has many in one segment, so the test for a request is run once. */
class Sentence {
  readonly text: string;
  readonly classes: number;
  readonly flags: number;
  private request: boolean | undefined;

  constructor(text: string, classes: number, flags: number) {
    this.text = text;
    this.classes = classes;
    this.flags = flags;
  }

  get isRequest(): boolean {
    this.request ??= isRequest(this.text) || isRequest(this.text.replace(SPEAKER, ''));
    return this.request;
  }

  hasWord(classes: number): boolean {
    return (this.classes & classes) !== 0;
  }
}

/** Checks that a segment in a block requests an action of the model. */
function asks({ kind, start }: Shape, { text }: TextContext, sentence: Sentence): boolean {
  if (kind === 'call') return isEffect(text.slice(start, start + REACH));
  if (kind === 'notice') return sentence.hasWord(ASSISTANT) && sentence.isRequest;
  if (kind === 'turn') return ANSWER.test(text.slice(start, start + REACH));
  return sentence.hasWord(YOU | ASSISTANT) || sentence.isRequest;
}

/** Recognises a block that is only mentioned, or is part of a record. It adds nothing to the score. */
function isTold(shape: Shape, context: TextContext, flags: number): boolean {
  const { kind, isJson } = shape;
  if (kind === 'label' || kind === 'notice') return context.whole.isAboutModels;
  if (isJson && context.isNested(shape)) return true;
  if (kind === 'token' || kind === 'system' ? context.whole.isTranscript : context.whole.isRecord) return true;
  return context.isNamed(shape) || context.isDescribed(shape, flags);
}

/**
 * Checks that a message can be meant for a model: one that another system shows to people, and a log, have no such
 * words.
 */
function mayBeMeant({ kind }: Shape, sentence: Sentence): boolean {
  if (kind === 'turn') return sentence.isRequest;
  return kind !== 'notice' || sentence.hasWord(YOU | ASSISTANT | USER) || sentence.isRequest;
}

/** The score of a segment in a block. */
function raise(shape: Shape, context: TextContext, sentence: Sentence, score: number): number {
  const { kind, isJson } = shape;
  if (isTold(shape, context, sentence.flags) || !mayBeMeant(shape, sentence)) return score;
  const isAlone = context.whole.isBlocks || (isJson && context.whole.isJson);
  const worth = isAlone ? WORTHS[kind].alone : WORTHS[kind].inText;
  if (context.isQuoted(shape, sentence.flags)) return score + worth / 2;
  const hasFloor = !isAlone || kind === 'call' || (!isJson && kind !== 'token' && kind !== 'turn');
  return hasFloor && asks(shape, context, sentence) ? Math.max(score + worth, FLOOR) : score + worth;
}

/** Raises the segments of blocks that imitate a model's formats. Returns the tags of the raised segments. */
export function applyShapes(
  text: string,
  segments: Segments,
  classes: Int32Array,
  scores: Float32Array,
): ReadonlyMap<number, ShapeTag> {
  const { count, starts, ends, flags } = segments;
  const shapes = findShapes(text);
  const context = new TextContext(text, shapes);
  const tags = new Map<number, ShapeTag>();
  const sentences = new Map<number, Sentence>();
  const raised = new Map<number, number>();
  const sentenceAt = (i: number): Sentence => {
    const known = sentences.get(i);
    if (known !== undefined) return known;
    const sentence = new Sentence(text.slice(starts[i], ends[i]), classes[i] as number, flags[i] as number);
    sentences.set(i, sentence);
    return sentence;
  };
  const apply = (shape: Shape, first: number): void => {
    for (let i = first; i < count && (starts[i] as number) < shape.end; i++) {
      const score = scores[i] as number;
      const next = raise(shape, context, sentenceAt(i), score);
      if (next <= (raised.get(i) ?? score)) continue;
      raised.set(i, next);
      tags.set(i, shape.kind === 'call' ? 'tool-invocation-shaped' : 'system-prompt-shaped');
    }
  };
  let at = 0;
  for (const shape of shapes) {
    while (at < count && (ends[at] as number) <= shape.start) at++;
    apply(shape, at);
  }
  for (let i = 0; i < count; i++) {
    const label = findLabel(text, starts[i] as number, ends[i] as number);
    if (label !== undefined) apply(label, i);
  }
  for (const [i, score] of raised) scores[i] = score;
  return tags;
}
