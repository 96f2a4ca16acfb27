import { isUrl, partsOfAddress, withoutScheme } from '../address/host.ts';
import type { Role } from '../call/role.ts';
import { saysExactly } from '../text/exact-match.ts';
import { readWords } from '../text/words.ts';
import { locate, type Question } from './find-value.ts';
import type { Found } from './occurrence.ts';
import type { Budgets, Ledgers, Piece, Provenance } from './trace.ts';
import { traceText } from './trace.ts';
import { FLAGGED, nameOf, OPEN, POINTED, REQUESTED, SUSPECT, type TrustClass, worstBit, worstTrust } from './trust.ts';
import { vouchFor } from './vouch.ts';

/** How a value is traced. */
export interface TraceOptions {
  readonly role: Role;
  /** Whether the boundary hears the user. If not, a question needs evidence: words that occur elsewhere too are content. */
  readonly isHeard: boolean;
}

interface Search {
  readonly others: Question;
  readonly trusted: Question;
  readonly handles: Question;
  readonly options: TraceOptions;
}

/**
 * The trust class of a value by all its occurrences. What occurs outside instructions too was not chosen by them alone: at worst
 * it is what others ask for.
 */
function classOf({ trust, exhausted }: Found, isHeard: boolean): TrustClass {
  if (exhausted) return 'suspect';
  const isElsewhere = (trust & ~(FLAGGED | SUSPECT | REQUESTED)) !== 0;
  if (!isHeard && isElsewhere) return (trust & POINTED) === 0 ? 'open' : 'pointed';
  if ((trust & FLAGGED) !== 0 && (trust & ~FLAGGED) !== 0) return 'suspect';
  return nameOf(worstBit((trust & POINTED) === 0 ? trust : trust & ~(OPEN | REQUESTED)));
}

function isHandle({ handles, options }: Search, value: string): boolean {
  if (options.role !== 'id' && options.role !== 'amount') return false;
  const words = readWords(value);
  return words.count > 0 && handles.ledger.findWhere(words, handles.budget, saysExactly(value)).trust !== 0;
}

function findWhole(search: Search, value: string): Piece | undefined {
  const words = readWords(value);
  const located = words.count === 0 ? undefined : locate(search.others, value, words);
  if (located === undefined) return undefined;
  const found = classOf(located.found, search.options.isHeard);
  const trust = found === 'flagged' || found === 'suspect' || !isHandle(search, value) ? found : 'vouched';
  const piece = { start: 0, end: value.length, how: located.how, trust, occurrences: located.found.occurrences };
  return located.found.exhausted ? { ...piece, isIncomplete: true } : piece;
}

const TOKEN =
  /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}|(?:[a-z][a-z0-9+.-]{1,20}:\/\/|www\.)[^\s"'<>()|;]+|\b[A-Z]{2}\d{2}[A-Z0-9]{6,30}\b/giu;

function hostOf(value: string): string | undefined {
  const text = value.trim();
  if (/\s/.test(text)) return undefined;
  return partsOfAddress(isUrl(text) ? text : `http://${text}`)?.host || undefined;
}

/** A page of a host that the user typed; else what is known of the page, or of its host. */
function traceUrl(search: Search, value: string): Piece[] {
  const host = hostOf(value)?.replace(/^www\./, '');
  const isTyped =
    host !== undefined && [host, `www.${host}`].some((each) => vouchFor(search.trusted, each)?.by === 'words');
  if (isTyped) return [{ start: 0, end: value.length, how: 'part', trust: 'pointed', occurrences: [] }];
  const known =
    findWhole(search, withoutScheme(value.trim()).replace(/\/$/, '')) ??
    (host === undefined ? undefined : findWhole(search, host));
  return known === undefined ? [] : [{ ...known, end: value.length }];
}

/** The addresses and accounts in a longer value: a list of recipients, a command. */
function traceTokens(search: Search, value: string): Piece[] {
  return Array.from(value.matchAll(TOKEN)).flatMap(({ 0: token, index }) => {
    if (token.length >= value.trim().length || vouchFor(search.trusted, token)?.by === 'words') return [];
    const pieces = isUrl(token) ? traceUrl(search, token) : [findWhole(search, token) ?? []].flat();
    return pieces.map((piece) => ({ ...piece, start: index, end: index + token.length }));
  });
}

function piecesOf(search: Search, value: string): Piece[] {
  if (search.options.role === 'url') return traceUrl(search, value);
  const whole = findWhole(search, value);
  const tokens = traceTokens(search, value);
  return whole === undefined ? tokens : [whole, ...tokens];
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
  const vouched = vouchFor(search.trusted, value);
  const isKnown = vouched?.by === 'words' || NO_EVIDENCE.has(options.role);
  const pieces = isKnown ? [] : piecesOf(search, value);
  const found = worstTrust(pieces.map(({ trust }) => trust)) ?? 'own';
  if (vouched === undefined) return { trust: found, vouchedBy: undefined, isTrustedWhole: false, pieces };
  // A service vouches for its values, but not for the choice among them if an instruction names one.
  const isChosen = found === 'flagged' || found === 'suspect';
  return { trust: isChosen ? found : 'vouched', vouchedBy: vouched.by, isTrustedWhole: vouched.isWhole, pieces };
}
