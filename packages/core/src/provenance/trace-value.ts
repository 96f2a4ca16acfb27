import { ADDRESSES, type Anchored, matchesOf } from '../address/address-token.ts';
import { isDisputed, isUrl, pageHostOf, pagesIn, withoutScheme } from '../address/host.ts';
import { isOrdinaryCommand } from '../call/command/ordinary.ts';
import { type Role, roleOfShape } from '../call/role.ts';
import { readWords, type Words } from '../text/words.ts';
import type { Budgets } from './effort.ts';
import { locate, type Question } from './find-value.ts';
import type { Found, Occurrence } from './occurrence.ts';
import { isHost, isToken } from './token.ts';
import type { Ledgers, Piece, Provenance } from './trace.ts';
import { incompletePiece, traceDecoded, traceText, vouchedPiece } from './trace.ts';
import { FLAGGED, nameOf, OPEN, POINTED, REQUESTED, type TrustClass, worstBit, worstTrust } from './trust.ts';
import { vouchFor, vouchForHost } from './vouch.ts';
import type { Accepts } from './word-columns.ts';

/** How a value is traced. */
export interface TraceOptions {
  readonly role: Role;
  readonly hearing: Hearing;
  /** How a trusted source has to say the value. @default as its role compares it */
  readonly vouchedAs?: Role;
}

/** What a boundary that does not hear the user needs to know: there, a question needs evidence. */
export interface Hearing {
  readonly isHeard: boolean;
  /** Whether a record is the result of a declared tool, and not a server's own words. */
  readonly isResult: (recordId: string) => boolean;
}

interface Search {
  readonly others: Question;
  readonly trusted: Question;
  readonly handles: Question;
  readonly options: TraceOptions;
  readonly budgets: Budgets;
}

const ASKING: ReadonlySet<TrustClass> = new Set(['flagged', 'suspect', 'requested']);

/** Whether a result that asks for nothing has the words too. An attacker can write them twice in one text. */
function isElsewhere(occurrences: readonly Occurrence[], { isResult }: Hearing): boolean {
  const asking = new Set(occurrences.filter(({ trust }) => ASKING.has(trust)).map(({ recordId }) => recordId));
  return occurrences.some(({ trust, recordId }) => !ASKING.has(trust) && !asking.has(recordId) && isResult(recordId));
}

/**
 * The trust class of a value by all its occurrences. What occurs outside instructions too was not chosen by them alone: at worst
 * it is what others ask for.
 */
function classOf({ trust, exhausted, occurrences }: Found, hearing: Hearing): TrustClass {
  if (exhausted) return 'suspect';
  if (!hearing.isHeard && isElsewhere(occurrences, hearing)) return (trust & POINTED) === 0 ? 'open' : 'pointed';
  if ((trust & FLAGGED) !== 0 && (trust & ~FLAGGED) !== 0) return 'suspect';
  return nameOf(worstBit((trust & POINTED) === 0 ? trust : trust & ~(OPEN | REQUESTED)));
}

/** Roles of values that a service can mint and that name one thing. */
const HANDLES: ReadonlySet<Role> = new Set(['id', 'amount', 'path', 'secret']);

/** Roles of values that no service mints: people have addresses, hosts and accounts of their own. */
const OUTSIDE: ReadonlySet<Role> = new Set(['recipient', 'url', 'command']);

/** Whether a value can be a service's own word, by what it is used for and by its form. */
function isMintable(value: string, role: Role): boolean {
  return [role, roleOfShape(value)].every((each) => each === undefined || !OUTSIDE.has(each));
}

/** An identifier names a thing and says no amount, even where it is a number. */
function isHandle({ handles, options: { role } }: Search, value: string): boolean {
  const vouched = HANDLES.has(role) ? vouchFor(handles, value, role) : undefined;
  return role === 'amount' ? vouched?.by === 'words' : vouched !== undefined;
}

/** Whether a value occurs in what the user pointed at as a whole, and not as a part of another value. */
function isPointed({ others: { ledger, budget } }: Search, words: Words, accepts: Accepts): boolean {
  return (ledger.findWhere(words, budget, accepts).trust & POINTED) !== 0;
}

/** What is known of a value. What the user pointed at counts only where it is the whole value. */
function findWhole(search: Search, value: string, accepts = isToken(search.options.role, value)): Piece | undefined {
  const words = readWords(value);
  const located = words.count === 0 ? undefined : locate(search.others, value, words);
  if (located === undefined) return undefined;
  const { hearing, role } = search.options;
  const isPart = (located.found.trust & POINTED) !== 0 && role !== 'amount' && !isPointed(search, words, accepts);
  const bits = isPart ? located.found.trust & ~POINTED || OPEN : located.found.trust;
  const found = classOf({ ...located.found, trust: bits }, hearing);
  const trust = found === 'flagged' || found === 'suspect' || !isHandle(search, value) ? found : 'vouched';
  const piece = { start: 0, end: value.length, how: located.how, trust, occurrences: located.found.occurrences };
  return located.found.exhausted ? { ...piece, isIncomplete: true } : piece;
}

const STEPS_PER_TOKEN = 100;
const ACCOUNT: Anchored = { pattern: /\b[a-z]{2}\d{2}[a-z0-9]{6,30}\b/gi, cut: (before) => before };
const TOKENS: readonly Anchored[] = [...ADDRESSES, ACCOUNT];

// `co.uk`, `com.au`: what many hosts share says nothing about who owns one.
const SHARED = /^[^.]{1,3}\.[^.]+$/;

/** A domain above a host is another value: it says who owns the host, and not that the user pointed at it. */
const NOWHERE_WHOLE: Accepts = () => false;

/** What is known of a host, or of the nearest domain above it: its owner has all hosts below. */
function findHost(search: Search, host: string): Piece | undefined {
  let domain = host;
  do {
    const found = findWhole(search, domain, domain === host ? isHost(host) : NOWHERE_WHOLE);
    if (found !== undefined) return found;
    domain = domain.slice(domain.indexOf('.') + 1);
  } while (domain.includes('.') && !SHARED.test(domain));
  return undefined;
}

/** A page of a host that the user typed; else what is known of the page, or of its host. */
function tracePage(search: Search, page: string): Piece | undefined {
  const piece = { start: 0, end: page.length, how: 'part', occurrences: [] } as const;
  if (isDisputed(page)) return { ...piece, trust: 'suspect' };
  const host = pageHostOf(page);
  const isTyped = host !== undefined && vouchForHost(search.trusted, host)?.by === 'words';
  if (isTyped) return { ...piece, trust: 'pointed' };
  const address = withoutScheme(page).replace(/\/$/, '');
  const isHostAlone = address.replace(/^www\./i, '').toLowerCase() === host;
  const whole = findWhole(search, address, isHostAlone ? isHost(host) : isToken('url', address));
  return whole ?? (host === undefined ? undefined : findHost(search, host));
}

function traceUrl(search: Search, value: string): Piece[] {
  const pieces = pagesIn(value).flatMap((page) => tracePage(search, page) ?? []);
  return pieces.map((piece) => ({ ...piece, start: 0, end: value.length }));
}

/** What is known of an address or an account in a longer value. */
function traceToken(search: Search, token: string): Piece[] {
  if (vouchFor(search.trusted, token, roleOfShape(token) ?? 'recipient')?.by === 'words') return [];
  return isUrl(token) ? traceUrl(search, token) : [findWhole(search, token) ?? []].flat();
}

/** The addresses and accounts in a longer value: a list of recipients, a command. */
function traceTokens(search: Search, value: string): Piece[] {
  const { budget } = search.others;
  const { length } = value.trim();
  const pieces: Piece[] = [];
  for (const { text: token, index } of matchesOf(value, TOKENS)) {
    if (token.length >= length) continue;
    budget.spend(STEPS_PER_TOKEN);
    if (budget.isExhausted) return [...pieces, incompletePiece(value)];
    const found = traceToken(search, token);
    pieces.push(...found.map((piece) => ({ ...piece, start: index, end: index + token.length })));
  }
  return pieces;
}

const COMMANDS = /[^;&|\n]+/g;
const MIN_COMMAND_WORDS = 2;

/** The commands of a line one by one: content may have named one of them. Ordinary ones count only if an instruction names them. */
function traceCommands(search: Search, value: string): Piece[] {
  const { budget } = search.others;
  const pieces: Piece[] = [];
  for (const { 0: command, index } of value.matchAll(COMMANDS)) {
    if (command.length >= value.length) return [];
    budget.spend(STEPS_PER_TOKEN);
    if (budget.isExhausted) return [...pieces, incompletePiece(value)];
    const found = readWords(command).count < MIN_COMMAND_WORDS ? undefined : findWhole(search, command);
    if (found === undefined || (found.trust !== 'flagged' && isOrdinaryCommand(command))) continue;
    pieces.push({ ...found, start: index, end: index + command.length, how: 'part' });
  }
  return pieces;
}

/** The owner of a host reads the mail of every name at it, so an address that occurs nowhere is traced by its host. */
function traceMailHost(search: Search, value: string): Piece | undefined {
  const host = /^[^\s@]{1,64}@([^\s@]+\.[^\s@]+)$/.exec(value.trim())?.[1];
  const found = host === undefined ? undefined : findHost(search, host);
  return found && { ...found, end: value.length, how: 'part' };
}

function piecesOf(search: Search, value: string): Piece[] {
  if (search.options.role === 'url') return traceUrl(search, value);
  const whole = findWhole(search, value) ?? traceMailHost(search, value);
  const decoded = traceDecoded({ ...search.budgets, ...search.others, trusted: search.trusted }, value);
  const commands = whole === undefined && search.options.role === 'command' ? traceCommands(search, value) : [];
  return [...(whole === undefined ? [] : [whole]), ...commands, ...traceTokens(search, value), ...decoded];
}

/** Roles of values that say nothing about who chose them: one of a few choices, a day, an hour. */
const NO_EVIDENCE: ReadonlySet<Role> = new Set(['choice', 'time']);

const STEPS_PER_VALUE = 32;

/**
 * Finds where a value of a call comes from, as its role compares it: an address, an id, a path or an amount as a whole. Parts of a
 * value, such as a file extension or a year, say nothing about who chose it.
 */
export function traceValue(ledgers: Ledgers, value: string, options: TraceOptions, budgets: Budgets): Provenance {
  if (options.role === 'text') return traceText(ledgers, value, budgets, options.vouchedAs);
  const { vouching, budget } = budgets;
  const search: Search = {
    others: { ledger: ledgers.others, budget },
    trusted: { ledger: ledgers.trusted, budget: vouching },
    handles: { ledger: ledgers.handles, budget },
    options,
    budgets,
  };
  const found = vouchFor(search.trusted, value, options.role);
  const vouched = found?.by === 'field' && !isMintable(value, options.role) ? undefined : found;
  if (vouched?.by === 'words')
    return { trust: 'vouched', vouchedBy: 'words', pieces: [vouchedPiece(value, 0, vouched)] };
  budget.spend(STEPS_PER_VALUE);
  const pieces = NO_EVIDENCE.has(options.role) ? [] : piecesOf(search, value);
  if (pieces.length === 0 && !NO_EVIDENCE.has(options.role) && budget.isExhausted) pieces.push(incompletePiece(value));
  const worst = worstTrust(pieces.map(({ trust }) => trust)) ?? 'own';
  if (vouched === undefined) return { trust: worst, vouchedBy: undefined, pieces };
  // A service vouches for its values, but not for the choice among them if an instruction names one.
  const isChosen = worst === 'flagged' || worst === 'suspect' || worst === 'requested';
  const field = vouchedPiece(value, 0, vouched);
  return { trust: isChosen ? worst : 'vouched', vouchedBy: 'field', pieces: isChosen ? [field, ...pieces] : [field] };
}
