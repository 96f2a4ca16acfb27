import type { Role } from '../call/role.ts';

/** Values that users type where content could name another one. */
type Kind = 'recipient' | 'url' | 'path' | 'id' | 'amount';

// Whom a copy goes to says nothing of whom else a mail reaches.
const MAIL = /(?<![^\s<("'`,;:])(?<!(?:^|\s)b?cc:?\s)[^\s<>("'`,;:@]{1,64}@[^\s<>@.]+\.[^\s<>@.]/giu;
// "to Mira", but not "Oskar's mail" and "the mail of Oskar": whom a message comes from is not whom to reach.
const PERSON =
  /(?<=(?:^|[^\p{L}])(?:to|for|[Tt]ell|[Aa]sk|[Ii]nform|[Nn]otify|[Ii]nvite|[Mm]essage|[Mm]ail|[Ee]mail|[Ss]end|an|f\u00fcr|\u00e0|a|para|aan|voor)\s)\p{Lu}\p{Ll}{2,}(?!['\u2019]s|[\p{L}\p{N}@])/gu;
const PAGE = /(?<![\p{L}\p{N}])(?:https?:\/\/|www\.)[^\s"'<>()]+/giu;
/** `/system/.ssh`, `~/notes`, `C:\\work`: a place in a file system. */
export const PLACE: RegExp =
  /(?<![^\s"'`(<\u2018-\u201f])(?:~?\/|\.{1,2}\/|[A-Za-z]:\\)[^\s"'`<>()\u2018-\u201f]{2,200}/gu;
const FILE =
  /(?<![^\s"'`(<\u2018-\u201f])[\p{L}\p{N}_-]+(?:\/[\p{L}\p{N}_.-]+)*\.[a-z][a-z0-9]{1,4}(?![\p{L}\p{N}@/])/gu;
// `ev-6`, `INV-2031`, but not a day.
const ID =
  /(?<![^\s"'`(<#\u2018-\u201f])(?!\d{4}-\d)(?=\S{0,82}\d)[\p{L}\p{N}]+(?:[_#:-]+[\p{L}\p{N}]+)+(?![\p{L}\p{N}@/])/gu;
const NUMBER = "\\d[\\d.,'\u2019]{0,20}";
const CURRENCY =
  'euros?|dollars?|bucks|cents?|pounds?|pence|quid|francs?|franken|yen|yuan|rupees?|rubles?|pesos?|reais|kr|usd|cad|aud|nzd|sgd|hkd|eur|gbp|chf|jpy|cny|inr|rub|sek|nok|dkk|pln|czk|huf|brl|mxn|zar|ils|krw|btc|eth|usd[tc]';
const MONEY = `(?:[\\p{Sc}\u5143\u5186\uc6d0]|(?:${CURRENCY})(?!\\p{L}))`;
const PAY = '(?:[Pp]|[Rr]ep)ay|[Tt]ransfer|[Ww]ire|[Ss]end|[Gg]ive|[Dd]onate|[Tt]ip|[Rr]efund|[Bb]?[Zz]ahle?|[Pp]aga';
const PAYEE =
  '(?:h(?:im|er)|them|me|back|exactly|only|to|an|a|the|(?:the )?(?:amount|sum|total)(?: of)?|\\p{Lu}[\\p{L}.-]{0,40}|\\S{1,64}@\\S{1,64})';
// "If it costs more than $100" says what to do, and not what to pay.
const MORE = '(?:(?:more|higher|greater) than|over|above|at least|exceeds|exceeding)\\s';
const AFTER =
  '$|[.,;:!?\\n)]|(?:to|for|from|at|on|by|in|into|via|with|using|per|each|every|before|until|an|f\u00fcr|von|a|para|pour|and|und|now|today)(?!\\p{L})';
// "120 euros", "$120", "pay 120", "pay Meyer 120." but not "pay 3 invoices" and "pay invoice 2031".
const AMOUNTS: readonly RegExp[] = [
  new RegExp(`(?<![\\p{L}\\p{N}]|${MORE})(?:${NUMBER}\\s?${MONEY}|${MONEY}\\s?${NUMBER})`, 'giu'),
  new RegExp(`(?<!\\p{L})(?:${PAY})\\s(?:${PAYEE}\\s){0,4}${NUMBER}(?=\\s{0,3}(?:${AFTER}))`, 'gu'),
];
const CLOCK = /^\d{1,2}:\d{2}/;

// "Send the mail that Bob wants": what was typed for an earlier task says nothing of this one.
const LEAVES_OPEN =
  /\b(?:send|mail|forward|answer|reply|write|save|move|set|fetch|open)\b[^.!?\n]{0,60}\b(?:as|that|what|whom?|where)\s[^.!?,\n]{1,40}\b(?:says?|asks?|wants?|requests?)\b/iu;

const FINDERS: readonly (readonly [Kind, readonly RegExp[]])[] = [
  ['recipient', [MAIL, PERSON]],
  ['url', [PAGE]],
  ['path', [PLACE, FILE]],
  ['id', [ID]],
  ['amount', AMOUNTS],
];

function plain(value: string): string {
  return value.trim().replace(/[.,;:!?/]+$/, '');
}

/** The values that the user typed, by what they can be used for. */
export class TypedValues {
  readonly #byKind = new Map<Role, Set<string>>(FINDERS.map(([kind]) => [kind, new Set()]));
  readonly #read = new Set<string>();

  /** Notes what the user's own words name. It stays until they leave something open, as it is part of what they asked for. */
  hear(own: string): void {
    if (LEAVES_OPEN.test(own)) for (const typed of this.#byKind.values()) typed.clear();
    for (const [kind, patterns] of FINDERS)
      for (const [found] of patterns.flatMap((pattern) => [...own.matchAll(pattern)]))
        if (!CLOCK.test(found)) this.#byKind.get(kind)?.add(plain(found));
  }

  /** Notes a value with which a call looked something up. */
  recordRead(value: string): void {
    this.#read.add(plain(value));
  }

  /** The amounts that the user typed, with the words around them. */
  get amounts(): readonly string[] {
    return [...(this.#byKind.get('amount') ?? [])];
  }

  /** Whether the user typed a value for a role. One that only says where to look does not count, unless there are several. */
  has(role: Role): boolean {
    const typed = this.#byKind.get(role);
    if (typed === undefined || typed.size === 0) return false;
    return typed.size > 1 || ![...typed].every((value) => this.#read.has(value));
  }
}
