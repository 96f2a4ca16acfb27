import { SallyportError } from '../base/errors.ts';
import { sectionName } from '../text/reserved-names.ts';

/**
 * The position of a value among the literals: outside all sections, between the tags of a section, or inside a tag. A
 * value between delimiters other than tags counts as outside: escaping tags would not keep it inside them.
 */
export type Position = 'free' | 'section' | 'attribute';

interface Tag {
  readonly name: string;
  readonly isClosing: boolean;
  /** The number of values before it. */
  readonly valuesBefore: number;
}

// A name with a non-ASCII letter. TAG would read only the part before that letter.
const NON_ASCII_TAG = /<\/?[\w.:-]*[^\0-\x7f\s]/;
const TAG = /<(\/?)([A-Za-z][\w.:-]*)/g;
// Three equal signs in a row, as in a code fence or in a line of signs. `<<<END>>>` is read as a tag with two signs on
// each side.
const SIGNS = /<<|>>|([`~=*_#+|^$%@!"'-])\1\1/;
// Before a value: `"body": "`, `"body": ` and an item of a list such as `["`.
const JSON_KEY = /["']\s*:\s*$|[:[,{]\s*["']$/;

/** Reads the tags of the literals. A value may be inside a tag. */
class LiteralReader {
  readonly tags: Tag[] = [];
  readonly inTag: boolean[] = [];
  /** For each value, the number of its passage. A passage ends at a tag. */
  readonly passageOf: number[] = [];
  /** The passages with a delimiter that is not a tag. */
  readonly delimited = new Set<number>();
  #passage = 0;
  #isOpen = false;
  #openedAt = 0;
  /** Set when the literal ended before or inside a tag name. */
  #isNaming = false;

  literal(text: string): void {
    if (NON_ASCII_TAG.test(text))
      throw new SallyportError(
        'ERR_INVALID_PROMPT',
        'Tag names in a prompt must be ASCII: other names cannot be reserved.',
      );
    let from = 0;
    if (this.#isOpen) {
      this.#isNaming = false;
      from = text.indexOf('>') + 1;
      if (from === 0) return;
      this.#isOpen = false;
    }
    this.#tags(text, from);
    if (!this.#isOpen && JSON_KEY.test(text)) this.delimited.add(this.#passage);
  }

  #tags(text: string, start: number): void {
    let from = start;
    TAG.lastIndex = from;
    for (let match = TAG.exec(text); match !== null; match = TAG.exec(text)) {
      const [, slash, name] = match as unknown as [string, string, string];
      this.tags.push({ name: sectionName(name), isClosing: slash === '/', valuesBefore: this.inTag.length });
      const end = text.indexOf('>', TAG.lastIndex);
      this.#isOpen = end < 0;
      this.#isNaming = this.#isOpen && TAG.lastIndex === text.length;
      this.#openedAt = this.inTag.length;
      this.#between(text.slice(from, match.index));
      this.#passage++;
      if (this.#isOpen) return;
      from = end + 1;
      TAG.lastIndex = from;
    }
    this.#between(text.slice(from));
    this.#isNaming = /<\/?$/.test(text);
  }

  #between(text: string): void {
    if (SIGNS.test(text)) this.delimited.add(this.#passage);
  }

  /** Called at the end. `a <b` without a `>` is not a tag, so the values after it are not inside one. */
  finish(): void {
    if (this.#isOpen) this.inTag.fill(false, this.#openedAt);
  }

  value(): void {
    if (this.#isNaming)
      throw new SallyportError(
        'ERR_INVALID_PROMPT',
        'A value cannot be a tag name or part of one. Write the name in the literal.',
      );
    this.inTag.push(this.#isOpen);
    this.passageOf.push(this.#passage);
  }
}

/** For each value, the number of sections that enclose it. An opening tag counts only if it is closed later. Linear. */
function depths(tags: readonly Tag[], count: number): number[] {
  const change = new Array<number>(count + 1).fill(0);
  const open: Tag[] = [];
  const openByName = new Map<string, number>();
  for (const tag of tags) {
    const before = openByName.get(tag.name) ?? 0;
    if (!tag.isClosing) {
      open.push(tag);
      openByName.set(tag.name, before + 1);
    } else if (before > 0) {
      let opener = open.pop() as Tag;
      for (; opener.name !== tag.name; opener = open.pop() as Tag)
        openByName.set(opener.name, (openByName.get(opener.name) as number) - 1);
      openByName.set(tag.name, before - 1);
      change[opener.valuesBefore] = (change[opener.valuesBefore] as number) + 1;
      change[tag.valuesBefore] = (change[tag.valuesBefore] as number) - 1;
    }
  }
  let depth = 0;
  return change.slice(0, count).map((step) => {
    depth += step;
    return depth;
  });
}

/** Finds the sections of a prompt and the position of each value. In `literals`, a value is `undefined`. */
export function locateValues(literals: readonly (string | undefined)[]): {
  sections: readonly string[];
  positions: readonly Position[];
} {
  const reader = new LiteralReader();
  for (const literal of literals) {
    if (literal === undefined) reader.value();
    else reader.literal(literal);
  }
  reader.finish();
  const inside = depths(reader.tags, reader.inTag.length);
  const positions = reader.inTag.map((isInTag, index): Position => {
    if (isInTag) return 'attribute';
    if (reader.delimited.has(reader.passageOf[index] as number)) return 'free';
    return (inside[index] as number) > 0 ? 'section' : 'free';
  });
  return { sections: Object.freeze([...new Set(reader.tags.map(({ name }) => name))].sort()), positions };
}
