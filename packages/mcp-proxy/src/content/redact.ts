import type { Excerpt } from '@sallyport/core';
import { endOfString, type JsonMember, type JsonNode, type JsonText, stringAt, within } from '@sallyport/core/json';
import { Edits } from '../json/edit.ts';

/** Removes secrets and other forbidden content from a text. */
export type Redact = (text: string) => string;

/** Members whose value is a file in base64. */
const FILES: ReadonlySet<string> = new Set(['blob', 'data']);
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

function redactedFile(base64: string, redact: Redact): string {
  const bytes = Buffer.from(base64, 'base64').toString('latin1');
  const redacted = redact(bytes);
  return redacted === bytes ? base64 : Buffer.from(redacted, 'latin1').toString('base64');
}

/** Redacts a value together with its name, because the name may show what the value is. */
function redactedValue(value: string, name: string | undefined, redact: Redact): string {
  if (name === undefined) return redact(value);
  const file = FILES.has(name) && BASE64.test(value) ? redactedFile(value, redact) : value;
  if (file !== value) return file;
  const start = `${name}: `;
  const whole = redact(start + value);
  return whole.startsWith(start) ? whole.slice(start.length) : redact(value);
}

class Redaction {
  readonly #text: string;
  readonly #redact: Redact;
  readonly #edits: Edits;

  constructor(text: string, redact: Redact) {
    this.#text = text;
    this.#redact = redact;
    this.#edits = new Edits(text);
  }

  #value(node: JsonNode, name: string | undefined): void {
    if (node.type !== 'string') return;
    const value = stringAt(this.#text, node);
    const redacted = redactedValue(value, name, this.#redact);
    if (redacted !== value) this.#edits.replace(node.start, node.end, JSON.stringify(redacted));
  }

  /** Redacts a name, and keeps names different: a message in which a name occurs twice is not passed on. */
  #name({ name, start }: JsonMember, taken: Set<string>): void {
    if (name === undefined) return;
    const redacted = this.#redact(name);
    let own = redacted;
    for (let count = 2; redacted !== name && taken.has(own); count++) own = `${redacted} ${count}`;
    taken.add(own);
    if (own !== name) this.#edits.replace(start, endOfString(this.#text, start), JSON.stringify(own));
  }

  apply(root: JsonNode): string {
    this.#value(root, undefined);
    for (const { members } of within(root)) {
      const taken = new Set(members.flatMap(({ name }) => name ?? []));
      for (const member of members) {
        this.#name(member, taken);
        this.#value(member.value, member.name);
      }
    }
    return this.#edits.apply() ?? this.#text;
  }
}

/**
 * JSON text whose strings and names have passed through a function. Everything else keeps its bytes.
 *
 * @example
 * ```ts
 * redactStrings(readJson('{"note":"the pin is 4711"}'), (text) => text.replace(/\d{4}/g, '[removed]'));
 * ```
 */
export function redactStrings({ text, root }: JsonText, redact: Redact): string {
  return new Redaction(text, redact).apply(root);
}

/** Words cut off at either end of an excerpt. Such a word may be half of a secret, which no pattern recognises. */
const CUT_START = /^\u2026?\S{20,}/;
const CUT_END = /\S{20,}$/;
/** A line of a base64 key, which an excerpt can show without the beginning and the end of the key. */
const KEY_LINE = /(?=[+/=]*[A-Za-z0-9])(?=\S*\d)(?=\S*[a-z])(?=\S*[A-Z])[A-Za-z0-9+/=]{40,}/g;

/**
 * Redacts an excerpt, and removes a word at either end that may be half of a secret.
 *
 * @example
 * ```ts
 * redactExcerpt({ before: 'the pin is ', match: '4711', after: '' }, (text) => text.replace(/\d{4}/g, '[removed]'));
 * ```
 */
export function redactExcerpt({ before, match, after }: Excerpt, redact: Redact): Excerpt {
  const whole = before + match + after;
  const redacted = redact(whole);
  const clean = (text: string): string => text.replace(KEY_LINE, '\u2026');
  // A removed text may extend over several parts.
  if (redacted !== whole)
    return { before: '', match: clean(redacted.replace(CUT_START, '\u2026').replace(CUT_END, '\u2026')), after: '' };
  return { before: clean(before.replace(CUT_START, '\u2026')), match, after: clean(after.replace(CUT_END, '\u2026')) };
}
