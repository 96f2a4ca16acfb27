// Composes documents from the corpus: injections in host documents, and benign texts in the same hosts in the same ways, so that
// an insertion alone does not indicate an attack.
import type { Item } from '../corpus.ts';
import type { Document, LabelledSpan } from '../document.ts';
import type { Random } from '../random.ts';
import { fieldsFor, NOTATIONS } from './envelope.ts';
import { FORMAT_NAMES, FORMATS } from './formats.ts';
import { CLOSE, fillGoal, type Inserted, insert, OPEN, unmark } from './insert.ts';
import { override } from './override.ts';

export interface Host {
  readonly text: string;
  readonly channel: string;
  readonly lang: string;
}

export interface Parts {
  readonly injections: readonly Item[];
  readonly wrappers: readonly Item[];
  readonly benign: readonly Item[];
  readonly mentions: readonly Item[];
  readonly hosts: readonly Host[];
}

interface Payload {
  readonly text: string;
  /** The span of the request itself in the text. */
  readonly goal: LabelledSpan;
  readonly tag: string;
}

const MAX_HOST_LENGTH = 2400;

/** Styles of requests that do not address the model. */
const BARE: ReadonlySet<string> = new Set(['bare', 'polite']);

/** A window of a document, cut at line ends. */
export function crop(random: Random, text: string, longest: number): string {
  if (text.length <= longest) return text;
  const size = Math.floor(longest * (0.15 + 0.85 * random.next()));
  const from = random.below(text.length - size);
  const line = text.indexOf('\n', from) + 1;
  const start = from === 0 || line + size / 2 > text.length ? from : line;
  const cut = text.slice(start, start + size);
  const last = cut.lastIndexOf('\n');
  return last > size / 2 ? cut.slice(0, last) : cut;
}

function byLang<T extends { readonly lang: string }>(items: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(item.lang, [...(groups.get(item.lang) ?? []), item]);
  return groups;
}

export class Composer {
  readonly #random: Random;
  readonly #parts: Parts;
  readonly #wrappers: Map<string, Item[]>;
  readonly #benign: Map<string, Item[]>;
  readonly #hosts: Map<string, Host[]>;
  #made = 0;

  constructor(random: Random, parts: Parts) {
    this.#random = random;
    this.#parts = parts;
    this.#wrappers = byLang(parts.wrappers);
    this.#benign = byLang(parts.benign);
    this.#hosts = byLang(parts.hosts);
  }

  #host(lang: string): Host {
    const random = this.#random;
    const own = random.chance(0.55);
    const wanted = lang !== 'en' && random.chance(0.65) ? lang : 'en';
    if (own || this.#hosts.get(wanted) === undefined) {
      const item = random.pick(this.#benign.get(wanted) ?? this.#parts.benign);
      return { text: item.text, channel: item.words[1] ?? 'text', lang: item.lang };
    }
    const host = random.pick(this.#hosts.get(wanted) as Host[]);
    return { ...host, text: crop(random, host.text, MAX_HOST_LENGTH) };
  }

  #payload(item: Item): Payload {
    const random = this.#random;
    const tag = item.words[2] ?? 'imperative';
    const bare = { text: item.text, goal: { start: 0, end: item.text.length }, tag };
    const roll = random.next();
    if (item.words[1]?.startsWith('fake') || roll > 0.6) return bare;
    // The phrases of override.ts are English; those of other languages are among the wrappers.
    if (roll > (item.lang === 'en' ? 0.38 : 0.54)) {
      const { text, start, end } = override(random, random.chance(0.08) ? undefined : item.text);
      return { text, goal: { start, end }, tag: 'role-override' };
    }
    const wrapper = random.pick(this.#wrappers.get(random.chance(0.85) ? item.lang : 'en') ?? this.#parts.wrappers);
    const { text, start, end } = fillGoal(wrapper.text, item.text);
    return { text, goal: { start, end }, tag: wrapper.words[1] ?? tag };
  }

  /** A payload or a benign text in a document, with its position there. */
  #place(text: string, lang: string): { text: string; start: number; end: number; channel: string } {
    const random = this.#random;
    const roll = random.next();
    if (roll < 0.22) return { text, start: 0, end: text.length, channel: 'text' };
    if (roll < 0.5) {
      const inside = random.chance(0.5) ? this.#host(lang).text.slice(0, 600) : '';
      const {
        text: value,
        start,
        end,
      } = inside === '' ? { text, start: 0, end: text.length } : insert(random, inside, 'text', text);
      const marked = `${value.slice(0, start)}\ue000${value.slice(start, end)}\ue001${value.slice(end)}`;
      const notation = random.pick(NOTATIONS);
      const record = random.chance(0.3)
        ? `${notation(fieldsFor(random, this.#host(lang).text.slice(0, 400)))}\n${notation(fieldsFor(random, marked))}`
        : notation(fieldsFor(random, marked));
      return { ...unmark(record), channel: 'record' };
    }
    const host = this.#host(lang);
    const { text: whole, start, end } = insert(random, host.text, host.channel, text);
    const marked = `${whole.slice(0, start)}${OPEN}${whole.slice(start, end)}${CLOSE}${whole.slice(end)}`;
    return { ...unmark(this.#formatted(marked)), channel: host.channel };
  }

  injected(item: Item): Document {
    const { text, goal, tag } = this.#payload(item);
    const placed = this.#place(text, item.lang);
    // Escapes may have lengthened the text; the goal's position is kept only if the slice is still the payload.
    const exact = placed.text.slice(placed.start, placed.end) === text;
    const spans: LabelledSpan[] = [{ start: placed.start, end: placed.end, tag }];
    if (exact) spans.push({ start: placed.start + goal.start, end: placed.start + goal.end, tag, goal: true });
    return {
      id: `own-${this.#made++}`,
      source: `own:${item.brief}`,
      text: placed.text,
      injected: true,
      spans,
      lang: item.lang,
      channel: placed.channel,
      attack: `${item.words[1] ?? 'bare'}${text === item.text ? '' : ' wrapped'}`,
      claim: text === item.text && BARE.has(item.words[1] ?? 'bare') ? 'asks' : 'addresses',
    };
  }

  /** A document with a planted part: as it was written, as a record, or the part in another document. */
  planted(item: Item): Document {
    const roll = this.#random.next();
    const whole = item.text.replace('\u27e6', OPEN).replace('\u27e7', CLOSE);
    const { text, start, end } = unmark(whole);
    const notation = this.#random.pick(NOTATIONS);
    const placed =
      roll < 0.55
        ? { ...unmark(this.#formatted(whole)), channel: item.words[0] ?? 'text' }
        : roll < 0.75
          ? { ...unmark(notation(fieldsFor(this.#random, whole))), channel: 'record' }
          : this.#place(text.slice(start, end), item.lang);
    return this.#plantedDocument(item, placed);
  }

  /** A document with a planted part, exactly as it was written. */
  asWritten(item: Item): Document {
    const whole = item.text.replace('\u27e6', OPEN).replace('\u27e7', CLOSE);
    return this.#plantedDocument(item, { ...unmark(whole), channel: item.words[0] ?? 'text' });
  }

  /** A benign text, exactly as it was written. */
  asItIs(item: Item): Document {
    return this.#benignDocument(item, item.text, item.words[1] ?? 'text');
  }

  #plantedDocument(item: Item, placed: Inserted & { readonly channel: string }): Document {
    const [, , style = 'bare', tag = 'imperative', family = item.brief] = item.words;
    return {
      id: `own-${this.#made++}`,
      source: `own:${item.brief}`,
      text: placed.text,
      injected: true,
      spans: [{ start: placed.start, end: placed.end, tag }],
      lang: item.lang,
      channel: placed.channel,
      attack: style,
      claim: style === 'bare' ? 'asks' : 'addresses',
      family,
    };
  }

  /** A text in a format, at the rate in which tools return it so. */
  #formatted(text: string): string {
    if (this.#random.chance(0.6)) return text;
    return FORMATS[this.#random.pick(FORMAT_NAMES)](this.#random, text);
  }

  /** As tools return it: a record among others, not inside another text. */
  harmless(item: Item): Document {
    const random = this.#random;
    const notation = random.pick(NOTATIONS);
    const others = random.chance(0.5) ? [this.#host(item.lang).text.slice(0, 500)] : [];
    const texts = random.shuffle([item.text, ...others]);
    const text = texts.map((each) => notation(fieldsFor(random, each))).join(random.pick(['\n', '\n---\n', '\n\n']));
    return this.#benignDocument(item, text, 'record');
  }

  alone(item: Item): Document {
    return this.#benignDocument(item, this.#formatted(item.text), item.words[1] ?? 'text');
  }

  /** One sentence alone: a short answer, a title, a cell. */
  sentence(item: Item): Document {
    const sentences = item.text.split(/(?<=[.!?])\s+|\n+|(?<=[\u3002\uff01\uff1f])/).filter((each) => each.length > 8);
    return this.#benignDocument(item, this.#random.pick(sentences) ?? item.text, 'text');
  }

  /** A text about attacks that quotes one. */
  mention(item: Item): Document {
    const random = this.#random;
    const attack = random.pick(this.#parts.injections.filter(({ lang }) => lang === 'en'));
    const quoted = random.chance(0.4)
      ? attack.text
      : random.chance(0.5)
        ? override(random, random.chance(0.4) ? undefined : attack.text).text
        : fillGoal(random.pick(this.#wrappers.get('en') ?? []).text, attack.text).text;
    return this.#benignDocument(item, fillGoal(item.text, quoted).text, item.words[1] ?? 'text');
  }

  #benignDocument(item: Item, text: string, channel: string): Document {
    const source = `own:${item.brief}`;
    return { id: `own-${this.#made++}`, source, text, injected: false, spans: [], lang: item.lang, channel };
  }
}
