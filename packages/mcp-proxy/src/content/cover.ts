import { isBytes, isPlain, isToken } from '@sallyport/core/adapter';
import { type JsonNode, type JsonText, stringAt } from '@sallyport/core/json';
import { Edits } from '../json/edit.ts';

/** Members with bytes, or with state that a client returns unread. A token in them may have any length. */
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

/** Maximum number of framed texts in one message: each costs a message authentication code. */
const MAX_TEXTS = 20_000;

interface Covered {
  readonly text: string;
  readonly put: (frame: string) => void;
}

interface Passage {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

interface NamedNode {
  readonly node: JsonNode;
  /** The name of the member that contains the node, directly or in a list. */
  readonly name: string | undefined;
}

/** The text of a block is framed even if it is short: hosts join blocks, and a sentence can be divided over them. */
const TEXT = 'text';

function isBare(value: string, name: string | undefined): boolean {
  return (isPlain(value) && (name !== TEXT || value.trim() === '')) || (OPAQUE.has(name ?? '') && isToken(value));
}

/** The minimum length of a value that a call could use. Names of letters only carry no such value either. */
const MIN_BARE_LENGTH = 3;
const IDENTIFIER = /^[A-Za-z_]*$/;

function hasProseNames({ members }: JsonNode): boolean {
  return members.some(({ name }) => name !== undefined && !isPlain(name));
}

/** Collects the texts below a node: passages to frame, and strings and names that stay unframed. */
class PassageCollector {
  readonly passages: Passage[] = [];
  readonly bare = new Set<string>();
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  read(root: JsonNode, skipped: ReadonlySet<JsonNode>): void {
    const left: NamedNode[] = [{ node: root, name: undefined }];
    for (let current = left.pop(); current !== undefined; current = left.pop())
      // In reverse, so that frames are numbered in the order of the text.
      if (!skipped.has(current.node)) for (const next of this.#collect(current).toReversed()) left.push(next);
  }

  /** Collects one node, and returns the nodes to read below it. */
  #collect({ node, name: around }: NamedNode): readonly NamedNode[] {
    const { start, end, type, members } = node;
    if (type === 'string') {
      const value = stringAt(this.#text, node);
      if (isBare(value, around)) this.bare.add(value);
      else this.passages.push({ start, end, text: value });
      return [];
    }
    if (hasProseNames(node)) {
      this.passages.push({ start, end, text: this.#text.slice(start, end) });
      return [];
    }
    for (const { name } of members) if (name !== undefined && !IDENTIFIER.test(name)) this.bare.add(name);
    return members.map(({ value, name }) => ({ node: value, name: name ?? around }));
  }
}

/** Thrown if a message holds more than `MAX_TEXTS` texts. */
class TooManyTexts extends Error {
  override readonly name = 'TooManyTexts';
}

/** A server's message while its texts are being framed. */
export class Cover {
  readonly json: JsonText;
  readonly edits: Edits;
  readonly #covered: Covered[] = [];
  readonly #skipped = new Set<JsonNode>();
  readonly #bare = new Set<string>();
  readonly #raw: JsonNode | undefined;

  /** Texts within `raw` are recorded but stay unframed. */
  constructor(json: JsonText, raw?: JsonNode) {
    this.json = json;
    this.edits = new Edits(json.text);
    this.#raw = raw;
  }

  /** Excludes a node that the caller handles itself. */
  skip(node: JsonNode): void {
    this.#skipped.add(node);
  }

  /** Adds a text to frame, and the function that receives its frame. */
  add(text: string, put: (frame: string) => void): void {
    if (this.#covered.length >= MAX_TEXTS) throw new TooManyTexts();
    this.#covered.push({ text, put });
  }

  /** Frames every passage below a node in place. */
  walk(node: JsonNode): void {
    const { start: from = 0, end: until = 0 } = this.#raw ?? {};
    for (const { start, end, text } of this.#collect(node)) {
      const isRaw = start >= from && start < until;
      this.add(text, (frame) => (isRaw ? undefined : this.edits.replace(start, end, JSON.stringify(frame))));
    }
  }

  /** Records every passage below a node, and leaves the node as it is. */
  read(node: JsonNode): void {
    for (const { text } of this.#collect(node)) this.add(text, () => undefined);
    this.skip(node);
  }

  /** The passages below a node. */
  passagesIn(node: JsonNode): readonly string[] {
    const collector = new PassageCollector(this.json.text);
    collector.read(node, this.#skipped);
    return collector.passages.map(({ text }) => text);
  }

  #collect(node: JsonNode): readonly Passage[] {
    const collector = new PassageCollector(this.json.text);
    collector.read(node, this.#skipped);
    for (const each of collector.bare) this.#bare.add(each);
    return collector.passages;
  }

  /**
   * Frames everything in a message except its id. A top-level member whose name is prose is removed, since nothing can
   * frame it.
   */
  walkMessage(): void {
    const { root } = this.json;
    for (const member of root.members) {
      const { name = '', value } = member;
      if (!isPlain(name)) this.edits.remove(root, member);
      else if (name !== 'id') this.walk(value);
    }
  }

  /** The unframed values and names that a call could use, without encoded bytes. */
  get bare(): readonly string[] {
    return [...this.#bare].filter((each) => each.length >= MIN_BARE_LENGTH && !isBytes(each));
  }

  get texts(): readonly string[] {
    return this.#covered.map(({ text }) => text);
  }

  /** Inserts the frames, in the order of `texts`. */
  put(frames: readonly string[]): void {
    for (const [index, { put }] of this.#covered.entries()) put(frames[index] as string);
  }

  /** The message to pass on: the original text if no edit was made. */
  finish(): string {
    return this.edits.apply() ?? this.json.text;
  }
}
