import { ADDRESSES, type Anchored, matchesOf } from '../address/address-token.ts';
import {
  isDisputed,
  isUrl,
  nestedPagesIn,
  pageHostOf,
  pagesIn,
  spellingsOfHost,
  withoutScheme,
} from '../address/host.ts';
import { type Role, roleOfShape } from '../call/role.ts';
import { ACCOUNT } from '../json/shape.ts';
import { readWords } from '../text/words.ts';
import type { Budgets } from './effort.ts';
import { locate, type Question } from './find-value.ts';
import type { Identifier } from './identifiers.ts';
import type { Found, Occurrence } from './occurrence.ts';
import type { Ledgers, Piece, Provenance } from './trace.ts';
import { CHOOSING, incompletePiece, traceDecoded, traceText, vouchedPiece, withService } from './trace.ts';
import { FLAGGED, nameOf, type TrustClass, worstBit, worstTrust } from './trust.ts';
import { vouchFor } from './vouch.ts';

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
  /** True for the result of a declared tool, false for a server's own words. */
  readonly isResult: (recordId: string) => boolean;
  /** True for a record that was read after the user's last message. */
  readonly isReadSince: (recordId: string) => boolean;
}

interface Search {
  readonly others: Question;
  readonly trusted: Question;
  readonly options: TraceOptions;
  readonly budgets: Budgets;
}

/** A result that asks for nothing has the words too. One record does not count twice: an attacker can repeat them in one text. */
function isElsewhere(occurrences: readonly Occurrence[], { isResult }: Hearing): boolean {
  const asking = new Set(occurrences.filter(({ trust }) => CHOOSING.has(trust)).map(({ recordId }) => recordId));
  return occurrences.some(({ trust, recordId }) => !CHOOSING.has(trust) && !asking.has(recordId) && isResult(recordId));
}

// A plain word, such as `daily`, is also what anybody would write: an instruction that has it did not choose it alone.
const PLAIN_WORD = /^\s*\p{L}+\s*$/u;

/**
 * The trust class of a value by all its occurrences. What occurs outside instructions too was not chosen by them alone: at worst
 * it is what others ask for. So is what an instruction named before the user wrote again: one text must not block all later work.
 */
function classOf(value: string, { trust, exhausted, occurrences }: Found, hearing: Hearing): TrustClass {
  if (exhausted) return 'suspect';
  if (!hearing.isHeard && isElsewhere(occurrences, hearing)) return 'open';
  const isOld = !occurrences.some((each) => each.trust === 'flagged' && hearing.isReadSince(each.recordId));
  const isShared = (trust & ~FLAGGED) !== 0 || PLAIN_WORD.test(value) || isOld;
  return (trust & FLAGGED) !== 0 && isShared ? 'suspect' : nameOf(worstBit(trust));
}

/** Roles whose values no service makes up: people have addresses, hosts and accounts of their own. */
const OUTSIDE: ReadonlySet<Role> = new Set(['recipient', 'url', 'command']);

/** The value can be an identifier that a service made, by what it is used for and by its form. */
function isMintable(value: string, role: Role): boolean {
  return [role, roleOfShape(value)].every((each) => each === undefined || !OUTSIDE.has(each));
}

function findWhole(search: Search, value: string): Piece | undefined {
  const words = readWords(value);
  const located = words.count === 0 ? undefined : locate(search.others, value, words);
  if (located === undefined) return undefined;
  const { found, how } = located;
  const trust = classOf(value, found, search.options.hearing);
  const piece = { start: 0, end: value.length, how, trust, occurrences: found.occurrences };
  return found.exhausted ? { ...piece, isIncomplete: true } : piece;
}

const STEPS_PER_TOKEN = 100;
const ACCOUNTS: Anchored = { pattern: new RegExp(`\\b${ACCOUNT}\\b`, 'gi'), cut: (before) => before };
const TOKENS: readonly Anchored[] = [...ADDRESSES, ACCOUNTS];

// `co.uk`, `com.au`: what many hosts share says nothing about who owns one.
const SHARED = /^[^.]{1,3}\.[^.]+$/;

/** What is known of a host in any of its spellings, or of the nearest domain above it: its owner has all hosts below. */
function findHost(search: Search, host: string): Piece | undefined {
  for (const spelling of spellingsOfHost(host)) {
    let domain = spelling;
    do {
      const found = findWhole(search, domain);
      if (found !== undefined) return found;
      domain = domain.slice(domain.indexOf('.') + 1);
    } while (domain.includes('.') && !SHARED.test(domain));
  }
  return undefined;
}

/** Traces a page as a whole, else by its host. A page that the user typed vouches for no other page of the host: hosts have tenants. */
function tracePage(search: Search, page: string): readonly Piece[] {
  const end = page.length;
  if (isDisputed(page)) return [{ start: 0, end, how: 'part', trust: 'suspect', occurrences: [] }];
  const host = pageHostOf(page);
  const whole =
    findWhole(search, withoutScheme(page).replace(/\/$/, '')) ??
    (host === undefined ? undefined : findHost(search, host));
  return whole === undefined ? [] : [whole];
}

/** The pages in a value, and the addresses that they carry to other pages: a proxy or a redirection leads there. */
function traceUrl(search: Search, value: string): Piece[] {
  const pages = pagesIn(value);
  const nested = pages.flatMap(nestedPagesIn).filter((page) => vouchFor(search.trusted, page, 'url')?.by !== 'words');
  return [...pages, ...nested]
    .flatMap((page) => tracePage(search, page))
    .map((piece) => ({ ...piece, start: 0, end: value.length }));
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

/** The commands of a line one by one: content may have named one of them. */
function traceCommands(search: Search, value: string): Piece[] {
  const { budget } = search.others;
  const pieces: Piece[] = [];
  for (const { 0: command, index } of value.matchAll(COMMANDS)) {
    if (command.length >= value.length) return [];
    budget.spend(STEPS_PER_TOKEN);
    if (budget.isExhausted) return [...pieces, incompletePiece(value)];
    const found = readWords(command).count < MIN_COMMAND_WORDS ? undefined : findWhole(search, command);
    if (found !== undefined) pieces.push({ ...found, start: index, end: index + command.length, how: 'part' });
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

const STEPS_PER_VALUE = 32;

/** What is known of a value by where it occurs, or by the service that named its own thing so. */
function occurring(pieces: readonly Piece[], minted: Identifier | undefined): Provenance {
  const worst = worstTrust(pieces.map(({ trust }) => trust)) ?? 'own';
  if (minted === undefined) return { trust: worst, vouchedBy: undefined, pieces };
  const { tool: mintedBy, trust, isMade } = minted;
  return {
    trust: CHOOSING.has(worst) ? worst : trust,
    vouchedBy: undefined,
    pieces,
    mintedBy,
    ...(isMade && { isMade }),
  };
}

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
    options,
    budgets,
  };
  const found = vouchFor(search.trusted, value, options.role);
  const canBeMinted = isMintable(value, options.role);
  const vouched = found?.by === 'field' && !canBeMinted ? undefined : found;
  if (vouched?.by === 'words')
    return { trust: 'vouched', vouchedBy: 'words', pieces: [vouchedPiece(value, 0, vouched)] };
  budget.spend(STEPS_PER_VALUE);
  const pieces = piecesOf(search, value);
  if (pieces.length === 0 && budget.isExhausted) pieces.push(incompletePiece(value));
  const known = occurring(pieces, canBeMinted ? ledgers.identifiers.of(value) : undefined);
  return withService(known, value, vouched);
}
