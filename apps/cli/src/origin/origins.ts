import { isName, wordsIn } from './names.ts';

/** A word that others brought into a session. */
export interface Foreign {
  readonly word: string;
  /** The tool whose result had it first. */
  readonly tool: string;
  /** The text around it. */
  readonly passage: string;
}

const AROUND = 80;
/** Beyond it, not everything is known any more, and every effect is asked about. */
const MAX_WORDS = 500_000;

interface FirstRead {
  readonly text: string;
  readonly tool: string;
}

/**
 * Who brought each word into a session first: the user and the project, or others. A file that the agent wrote after it
 * had read others holds their words too, so a word that is read again does not change sides.
 */
export class Origins {
  readonly #own = new Set<string>();
  /** What the user said, or let pass. */
  readonly #said = new Set<string>();
  readonly #others = new Map<string, FirstRead>();
  /** Words of texts of the project that others may have written. */
  readonly #doubtful = new Map<string, FirstRead>();
  #hasOthers = false;

  /** Something that others wrote was read. */
  get hasOthers(): boolean {
    return this.#hasOthers;
  }

  /** Some words are not the user's or the project's. */
  get hasForeign(): boolean {
    return this.#others.size + this.#doubtful.size > 0;
  }

  /** What the user says is known from then on, whoever said it before. */
  hear(text: string): void {
    for (const word of wordsIn(text)) {
      this.#keep(word);
      if (this.#said.size < MAX_WORDS) this.#said.add(word);
    }
  }

  /** Makes a name known without counting it as said. */
  know(name: string): void {
    this.#keep(name.toLowerCase());
  }

  /** Takes in a text of the project, or what a command printed about it. What the agent itself had `given` says nothing new. */
  readOwn(text: string, given = ''): void {
    const own = new Set(wordsIn(given));
    for (const word of wordsIn(text))
      if (!own.has(word) && !this.#others.has(word) && !this.#doubtful.has(word)) this.#keep(word);
  }

  /** Takes in a text that others wrote. */
  readOthers(text: string, tool: string): void {
    this.#hasOthers = true;
    note(this.#others, text, tool);
  }

  /** Takes in a text of the project that others may have written. */
  readDoubtful(text: string, tool: string): void {
    note(this.#doubtful, text, tool);
  }

  #keep(word: string): void {
    if (this.#own.size < MAX_WORDS) this.#own.add(word);
  }

  /** The user said the word, or let a call with it pass. */
  isSaid(word: string): boolean {
    return this.#said.has(word.toLowerCase());
  }

  /** The user or the project used the word before others did. */
  knows(word: string): boolean {
    return this.#own.has(word.toLowerCase());
  }

  /** More was read than is kept. */
  get isFull(): boolean {
    return Math.max(this.#own.size, this.#others.size, this.#doubtful.size) >= MAX_WORDS;
  }

  #firstOf(word: string): FirstRead | undefined {
    const key = word.toLowerCase();
    return this.#own.has(key) ? undefined : (this.#others.get(key) ?? this.#doubtful.get(key));
  }

  isForeign(word: string): boolean {
    return this.#firstOf(word) !== undefined;
  }

  /** Where others used a word, if neither the user nor the project did before. */
  foreign(word: string): Foreign | undefined {
    const first = this.#firstOf(word);
    return first && { word, tool: first.tool, passage: passageOf(first.text, word.toLowerCase()) };
  }

  /** The names in a text that only others brought. */
  *foreignIn(text: string): Generator<string> {
    for (const word of wordsIn(text)) if (isName(word) && this.isForeign(word)) yield word;
  }

  /** Of these, those that are certainly of others. */
  *certainIn(text: string): Generator<string> {
    for (const word of this.foreignIn(text)) if (this.#others.has(word)) yield word;
  }
}

function note(words: Map<string, FirstRead>, text: string, tool: string): void {
  const first = { text, tool };
  for (const word of wordsIn(text)) if (!words.has(word) && words.size < MAX_WORDS) words.set(word, first);
}

function passageOf(text: string, word: string): string {
  const at = text.toLowerCase().indexOf(word);
  return at < 0
    ? ''
    : text
        .slice(Math.max(0, at - AROUND), at + word.length + AROUND)
        .replace(/\s+/g, ' ')
        .trim();
}
