import { type JsonNode, type JsonText, stringAt } from '@sallyport/core/json';
import { Edits } from '../json/edit.ts';
import { isBytes, isPlain, isToken } from './plain-strings.ts';

/** Members that hold bytes, or what a client hands back unread: there one token may have any length. */
const OPAQUE: ReadonlySet<string> = new Set([
  'blob',
  'cursor',
  'data',
  'nextCursor',
  'requestState',
  'src',
  'taskId',
  'uri',
]);

/** More texts than this in one message are not covered one by one: each costs a seal. */
const MAX_TEXTS = 20_000;

interface Covered {
  readonly text: string;
  readonly put: (frame: string) => void;
}

interface Saying {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

interface Place {
  readonly node: JsonNode;
  /** Under which it stands, directly or in a list. */
  readonly name: string | undefined;
}

function isBare(value: string, name: string | undefined): boolean {
  return isPlain(value) || (OPAQUE.has(name ?? '') && isToken(value));
}

/** Shorter strings, and names of letters alone, are nobody's words. */
const MIN_BARE_LENGTH = 3;
const IDENTIFIER = /^[A-Za-z_]*$/;

function saysByNames({ members }: JsonNode): boolean {
  return members.some(({ name }) => name !== undefined && !isPlain(name));
}

/** What stands below a node: texts that could say something, and strings and names that stay as they are. */
class Survey {
  readonly sayings: Saying[] = [];
  readonly bare = new Set<string>();
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  read(root: JsonNode, skipped: ReadonlySet<JsonNode>): void {
    const left: Place[] = [{ node: root, name: undefined }];
    for (let place = left.pop(); place !== undefined; place = left.pop())
      // Behind each other in the text means behind each other in the frame's numbering.
      if (!skipped.has(place.node)) for (const next of this.#take(place).toReversed()) left.push(next);
  }

  /** Takes note of one node, and says what is to be read below it. */
  #take({ node, name: around }: Place): readonly Place[] {
    const { start, end, type, members } = node;
    if (type === 'string') {
      const value = stringAt(this.#text, node);
      if (isBare(value, around)) this.bare.add(value);
      else this.sayings.push({ start, end, text: value });
      return [];
    }
    if (saysByNames(node)) {
      this.sayings.push({ start, end, text: this.#text.slice(start, end) });
      return [];
    }
    for (const { name } of members) if (name !== undefined && !IDENTIFIER.test(name)) this.bare.add(name);
    return members.map(({ value, name }) => ({ node: value, name: name ?? around }));
  }
}

/** Thrown where a message holds more texts than anybody would cover. */
class TooManyTexts extends Error {
  override readonly name = 'TooManyTexts';
}

/** A message of a server while its words are being covered. */
export class Cover {
  readonly json: JsonText;
  readonly edits: Edits;
  readonly #covered: Covered[] = [];
  readonly #skipped = new Set<JsonNode>();
  readonly #bare = new Set<string>();
  readonly #raw: JsonNode | undefined;

  /** `raw` is where texts stay as they are: they are taken in all the same. */
  constructor(json: JsonText, raw?: JsonNode) {
    this.json = json;
    this.edits = new Edits(json.text);
    this.#raw = raw;
  }

  /** A node that is dealt with otherwise. */
  skip(node: JsonNode): void {
    this.#skipped.add(node);
  }

  /** A text to be framed, and where the frame goes. */
  add(text: string, put: (frame: string) => void): void {
    if (this.#covered.length >= MAX_TEXTS) throw new TooManyTexts();
    this.#covered.push({ text, put });
  }

  /** Everything below a node that could say something is framed at its place. */
  walk(node: JsonNode): void {
    const { start: from = 0, end: until = 0 } = this.#raw ?? {};
    const survey = new Survey(this.json.text);
    survey.read(node, this.#skipped);
    for (const each of survey.bare) this.#bare.add(each);
    for (const { start, end, text } of survey.sayings) {
      const isRaw = start >= from && start < until;
      this.add(text, (frame) => (isRaw ? undefined : this.edits.replace(start, end, JSON.stringify(frame))));
    }
  }

  /** Everything in a message but its id. At the top there is no holder to be framed: a member whose name says something goes. */
  walkMessage(): void {
    const { root } = this.json;
    for (const member of root.members) {
      const { name = '', value } = member;
      if (!isPlain(name)) this.edits.remove(root, member);
      else if (name !== 'id') this.walk(value);
    }
  }

  /** What stands in the message as it is, and could be taken from there: values and names, but no bytes. */
  get bare(): readonly string[] {
    return [...this.#bare].filter((each) => each.length >= MIN_BARE_LENGTH && !isBytes(each));
  }

  get texts(): readonly string[] {
    return this.#covered.map(({ text }) => text);
  }

  /** Puts the frames where they belong, in the order of `texts`. */
  put(frames: readonly string[]): void {
    for (const [index, { put }] of this.#covered.entries()) put(frames[index] as string);
  }

  /** The message as it goes on: its own text where nothing was changed. */
  finish(): string {
    return this.edits.apply() ?? this.json.text;
  }
}
