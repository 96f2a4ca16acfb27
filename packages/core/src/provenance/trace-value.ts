import { ADDRESS_TOKEN } from '../address/address-token.ts';
import { isUrl, partsOfAddress, withoutScheme } from '../address/host.ts';
import { type Role, roleOfShape } from '../call/role.ts';
import { readWords } from '../text/words.ts';
import { locate, type Question } from './find-value.ts';
import type { Found, Occurrence } from './occurrence.ts';
import type { Budgets, Ledgers, Piece, Provenance } from './trace.ts';
import { incompletePiece, traceDecoded, traceText, vouchedPiece } from './trace.ts';
import { FLAGGED, nameOf, OPEN, POINTED, REQUESTED, type TrustClass, worstBit, worstTrust } from './trust.ts';
import { vouchFor, vouchForHost } from './vouch.ts';

/** How a value is traced. */
export interface TraceOptions {
  readonly role: Role;
  readonly hearing: Hearing;
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

/** Roles of values that a service can mint. It never mints a recipient, an address or a command. */
const HANDLES: ReadonlySet<Role> = new Set(['id', 'amount', 'path', 'secret']);

function isHandle({ handles, options }: Search, value: string): boolean {
  return HANDLES.has(options.role) && vouchFor(handles, value, options.role) !== undefined;
}

function findWhole(search: Search, value: string): Piece | undefined {
  const words = readWords(value);
  const located = words.count === 0 ? undefined : locate(search.others, value, words);
  if (located === undefined) return undefined;
  const found = classOf(located.found, search.options.hearing);
  const trust = found === 'flagged' || found === 'suspect' || !isHandle(search, value) ? found : 'vouched';
  const piece = { start: 0, end: value.length, how: located.how, trust, occurrences: located.found.occurrences };
  return located.found.exhausted ? { ...piece, isIncomplete: true } : piece;
}

const TOKEN = new RegExp(`${ADDRESS_TOKEN.source}|\\b[A-Z]{2}\\d{2}[A-Z0-9]{6,30}\\b`, ADDRESS_TOKEN.flags);

function hostOf(value: string): string | undefined {
  const text = value.trim();
  if (/\s/.test(text)) return undefined;
  return partsOfAddress(isUrl(text) ? text : `http://${text}`)?.host || undefined;
}

// `co.uk`, `com.au`: what many hosts share says nothing about who owns one.
const SHARED = /^[^.]{1,3}\.[^.]+$/;

/** What is known of a host, or of the nearest domain above it: its owner has all hosts below. */
function findHost(search: Search, host: string): Piece | undefined {
  let domain = host;
  do {
    const found = findWhole(search, domain);
    if (found !== undefined) return found;
    domain = domain.slice(domain.indexOf('.') + 1);
  } while (domain.includes('.') && !SHARED.test(domain));
  return undefined;
}

/** A page of a host that the user typed; else what is known of the page, or of its host. */
function traceUrl(search: Search, value: string): Piece[] {
  const host = hostOf(value)?.replace(/^www\./, '');
  const isTyped = host !== undefined && vouchForHost(search.trusted, host)?.by === 'words';
  if (isTyped) return [{ start: 0, end: value.length, how: 'part', trust: 'pointed', occurrences: [] }];
  const known =
    findWhole(search, withoutScheme(value.trim()).replace(/\/$/, '')) ??
    (host === undefined ? undefined : findHost(search, host));
  return known === undefined ? [] : [{ ...known, end: value.length }];
}

/** The addresses and accounts in a longer value: a list of recipients, a command. */
function traceTokens(search: Search, value: string): Piece[] {
  return Array.from(value.matchAll(TOKEN)).flatMap(({ 0: token, index }) => {
    if (
      token.length >= value.trim().length ||
      vouchFor(search.trusted, token, roleOfShape(token) ?? 'recipient')?.by === 'words'
    )
      return [];
    const pieces = isUrl(token) ? traceUrl(search, token) : [findWhole(search, token) ?? []].flat();
    return pieces.map((piece) => ({ ...piece, start: index, end: index + token.length }));
  });
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
  const decoded = traceDecoded({ ...search.others, trusted: search.trusted }, value);
  return [...(whole === undefined ? [] : [whole]), ...traceTokens(search, value), ...decoded];
}

/** Roles of values that say nothing about who chose them: one of a few choices, a day, an hour. */
const NO_EVIDENCE: ReadonlySet<Role> = new Set(['choice', 'time']);

/**
 * Finds where a value of a call comes from, as its role compares it: an address, an id, a path or an amount as a whole. Parts of a
 * value, such as a file extension or a year, say nothing about who chose it.
 */
export function traceValue(ledgers: Ledgers, value: string, options: TraceOptions, budgets: Budgets): Provenance {
  if (options.role === 'text') return traceText(ledgers, value, budgets);
  const { vouching, budget } = budgets;
  const search: Search = {
    others: { ledger: ledgers.others, budget },
    trusted: { ledger: ledgers.trusted, budget: vouching },
    handles: { ledger: ledgers.handles, budget },
    options,
  };
  const vouched = vouchFor(search.trusted, value, options.role);
  if (vouched?.by === 'words')
    return { trust: 'vouched', vouchedBy: 'words', pieces: [vouchedPiece(value, 0, vouched)] };
  const pieces = NO_EVIDENCE.has(options.role) ? [] : piecesOf(search, value);
  if (pieces.length === 0 && !NO_EVIDENCE.has(options.role) && budget.isExhausted) pieces.push(incompletePiece(value));
  const found = worstTrust(pieces.map(({ trust }) => trust)) ?? 'own';
  if (vouched === undefined) return { trust: found, vouchedBy: undefined, pieces };
  // A service vouches for its values, but not for the choice among them if an instruction names one.
  const isChosen = found === 'flagged' || found === 'suspect' || found === 'requested';
  const field = vouchedPiece(value, 0, vouched);
  return { trust: isChosen ? found : 'vouched', vouchedBy: 'field', pieces: isChosen ? [field, ...pieces] : [field] };
}
