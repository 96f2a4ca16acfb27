/** A range of UTF-16 units. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/** A longer quotation is content that the user passes on, a shorter one is a name or a phrase. */
const MAX_OWN_QUOTATION = 80;

// A mail that follows as a whole. Lines are compared without accents and without dashes around them.
const SUBJECT = /^(?:(?:subject|betreff|objet|asunto|oggetto|assunto|onderwerp): ?)?(?:fwd?|wg|tr|rv|enc|doorst) ?:/;
const FORWARDED = [
  'forwarded message',
  'begin forwarded message',
  'weitergeleitete nachricht',
  'anfang der weitergeleiteten',
  'message transfere',
  'message reexpedie',
  'debut du message',
  'mensaje reenviado',
  'inicio del mensaje reenviado',
  'messaggio inoltrato',
  'inizio messaggio inoltrato',
  'mensagem encaminhada',
  'mensagem reencaminhada',
  'inicio da mensagem',
  'doorgestuurd bericht',
  'begin doorgestuurd bericht',
];
const ORIGINAL: ReadonlySet<string> = new Set([
  'original message',
  'ursprungliche nachricht',
  'originalnachricht',
  'message original',
  "message d'origine",
  'mensaje original',
  'messaggio originale',
  'mensagem original',
  'oorspronkelijk bericht',
]);
// "On 3 March Eve wrote:", which mail programs wrap to two lines.
const INTRODUCTIONS: readonly (readonly [start: string, verb: string])[] = [
  ['on ', 'wrote'],
  ['am ', 'schrieb'],
  ['le ', 'a ecrit'],
  ['el ', 'escribio'],
  ['il ', 'ha scritto'],
  ['em ', 'escreveu'],
  ['no dia ', 'escreveu'],
  ['a ', 'escreveu'],
  ['op ', 'schreef'],
];
/** Longer lines are paragraphs, not introductions of a mail program. */
const MAX_INTRODUCTION = 300;

const fold = (line: string): string =>
  line
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
    .replaceAll('\u2019', "'")
    .replace(/[\s_*=#\u2013\u2014-]/g, ' ')
    .trim();

function isIntroduction(line: string): boolean {
  if (line.length > MAX_INTRODUCTION || !line.endsWith(':')) return false;
  return INTRODUCTIONS.some(([start, verb]) => line.startsWith(start) && line.includes(` ${verb}`));
}

function beginsMail(raw: string, next: string): boolean {
  if (raw.length > MAX_INTRODUCTION) return SUBJECT.test(fold(raw.slice(0, MAX_INTRODUCTION)));
  const line = fold(raw);
  if (SUBJECT.test(line) || FORWARDED.some((each) => line.startsWith(each))) return true;
  if (ORIGINAL.has(line.replace(/ ?:$/, ''))) return true;
  if (!INTRODUCTIONS.some(([start]) => line.startsWith(start))) return false;
  return isIntroduction(line) || isIntroduction(`${line} ${fold(next.slice(0, MAX_INTRODUCTION))}`);
}

/** Quoted lines, and the rest of the text from the line that begins a mail. */
function quotedLines(text: string): Range[] {
  const ranges: Range[] = [];
  const lines = text.replace(/[\r\v\f\u2028\u2029]/g, '\n').split('\n');
  let start = 0;
  for (const [index, line] of lines.entries()) {
    if (beginsMail(line, lines[index + 1] || (lines[index + 2] ?? ''))) return [...ranges, { start, end: text.length }];
    if (line.trimStart().startsWith('>')) ranges.push({ start, end: start + line.length });
    start += line.length + 1;
  }
  return ranges;
}

const CLOSING: Readonly<Record<string, string>> = {
  '\u201c': '\u201d',
  '\u201e': '\u201c\u201d',
  '\u201d': '\u201d',
  '\u00ab': '\u00bb',
  '\u00bb': '\u00ab',
  '\u300c': '\u300d',
  '\u300e': '\u300f',
};
const OPENING = /["\u201c\u201d\u201e\u00ab\u00bb\u300c\u300e]/g;

/** Finds the next occurrence of a character from a position that only grows. */
class Finder {
  readonly #text: string;
  readonly #next = new Map<string, number>();

  constructor(text: string) {
    this.#text = text;
  }

  find(character: string, from: number): number {
    const known = this.#next.get(character);
    if (known !== undefined && known >= from) return known;
    const found = this.#text.indexOf(character, from);
    const next = found === -1 ? Number.POSITIVE_INFINITY : found;
    this.#next.set(character, next);
    return next;
  }
}

// An inch sign follows a digit and an apostrophe follows a letter; a quotation mark does not open there.
function canOpen(text: string, at: number): boolean {
  return at === 0 || !/[\p{L}\p{N}]/u.test(text.charAt(at - 1)) || text.charCodeAt(at) >= 0x3000;
}

function closingOf(text: string, at: number, finder: Finder): number {
  const opening = text.charAt(at);
  const closings = opening === '"' ? '"' : (CLOSING[opening] ?? '');
  return Math.min(...Array.from(closings, (each) => finder.find(each, at + 1)));
}

function longQuotations(text: string): Range[] {
  const ranges: Range[] = [];
  const finder = new Finder(text);
  OPENING.lastIndex = 0;
  for (let match = OPENING.exec(text); match !== null; match = OPENING.exec(text)) {
    const start = match.index;
    const end = canOpen(text, start) ? closingOf(text, start, finder) : Number.POSITIVE_INFINITY;
    if (end === Number.POSITIVE_INFINITY) continue;
    OPENING.lastIndex = end + 1;
    if (end - start - 1 > MAX_OWN_QUOTATION) ranges.push({ start, end: end + 1 });
  }
  return ranges;
}

// `User: ...`, `**Assistant**: ...`: the lines of a conversation that was flattened into one text.
const SPEAKER =
  /^[ \t*_#[<-]{0,8}(?:(user|human|customer)|assistant|ai|agent|bot|model|tool|function|tool result)[ \t*_\]>]{0,8}:/gim;

/** A conversation with a model, from the line of its first speaker on: a summary of it is not what the user says now. */
function flattened(text: string): Range[] {
  const speakers = Array.from(text.matchAll(SPEAKER));
  const isConversation = new Set(speakers.map(([, person]) => person === undefined)).size === 2;
  return isConversation ? [{ start: speakers[0]?.index ?? 0, end: text.length }] : [];
}

/** What a text quotes: lines that begin with `>`, mails, conversations and long quotations. Linear in the text. */
function quotationsIn(text: string): Range[] {
  return [...quotedLines(text), ...longQuotations(text), ...flattened(text)];
}

const OTHER = /[^\n\r\u2028\u2029]/g;

interface Words {
  readonly own: string;
  readonly quoted: string;
}

/** A text in two texts of the same length: what the user says for themselves, and what they quote. The rest is blank. */
export function splitQuotations(text: string): Words {
  const [own, quoted]: [string[], string[]] = [[], []];
  let at = 0;
  for (const { start, end } of quotationsIn(text).sort((left, right) => left.start - right.start)) {
    if (end <= at) continue;
    const from = Math.max(start, at);
    const [before, inside] = [text.slice(at, from), text.slice(from, end)];
    own.push(before, inside.replace(OTHER, ' '));
    quoted.push(before.replace(OTHER, ' '), inside);
    at = end;
  }
  const rest = text.slice(at);
  return { own: own.join('') + rest, quoted: quoted.join('') + rest.replace(OTHER, ' ') };
}

// The ledger reads a message once, and the judge is told it with every call.
const KNOWN = new WeakMap<object, Words & { readonly text: string }>();

/** The words of a part of a user's message, for the ledger and for the judge. `text` is what is read of the part. */
export function wordsOfPart(part: object, text: string): Words {
  const known = KNOWN.get(part);
  if (known?.text === text) return known;
  const words = { text, ...splitQuotations(text) };
  KNOWN.set(part, words);
  return words;
}
