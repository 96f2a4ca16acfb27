import { pagesIn } from '../address/host.ts';
import type { Effect } from '../call/effect.ts';
import { roleOfName } from '../call/role.ts';
import type { Supplier } from '../call/table-changes.ts';
import { vouches } from '../label/label.ts';
import { numberOf } from '../provenance/token.ts';
import { isUnfinished } from '../provenance/trace.ts';
import type { Argument } from '../provenance/trace-call.ts';
import { isOrderedCommand, isOrderedFolder, isOrdinaryIn } from './command/asked.ts';
import type { GateQuestion } from './decision.ts';
import { destinationOf } from './destination.ts';
import { isVouched } from './rules.ts';
import { isOtherSetting } from './setting.ts';
import { supplierOf } from './table.ts';

/** Effects with which a person whom the user named may be reached at an address that was found. */
const CONTACTING: ReadonlySet<Effect> = new Set(['send', 'write', 'fetch']);

/** Effects for which something must name the target. */
export const GRAVE: ReadonlySet<Effect> = new Set(['spend', 'destroy', 'execute']);

/** Untrusted content cannot make a value trusted here: only what trusted sources wrote does. */
export function strictSupplier({ context }: GateQuestion, argument: Argument): Supplier {
  if (isVouched(argument) || vouches(context.integrity)) return 'trusted';
  if (isUnfinished(argument.provenance)) return 'requested';
  const supplier = supplierOf(argument.provenance.trust);
  return supplier === 'trusted' ? 'content' : supplier;
}

/** Whether an amount is at most the sum of those that the user typed. One that can mean two is not. */
function isCovered(typed: readonly string[], amount: string): boolean {
  const numbers = typed.map((each) => numberOf(/\d[\d.,'\u2019]*\d|\d/.exec(each)?.[0] ?? '') ?? Number.NaN);
  return Number(amount) <= numbers.reduce((sum, each) => sum + each, 0);
}

/** Whether the user left a value of a purchase to the model: it adds up amounts. Others must not ask for one. */
function isPartOfAct({ effect, isRequested, typedAmounts }: GateQuestion, { role, text }: Argument): boolean {
  if (effect !== 'spend' || isRequested) return false;
  return role === 'id' || (role === 'amount' && (typedAmounts.length === 0 || isCovered(typedAmounts, text)));
}

/** What the user asked for says more than where a value was found: whom they named, and what they typed. */
function askedSupplier(question: GateQuestion, argument: Argument, supplier: Supplier): Supplier {
  const { role, text } = argument;
  const { effect, isNamedPerson, isNamed } = question;
  if (supplier === 'model' && isPartOfAct(question, argument)) return 'trusted';
  if (role === 'recipient' && isNamedPerson(text)) {
    if (supplier === 'content' && CONTACTING.has(effect)) return 'named';
    if (supplier === 'requested' && CONTACTING.has(effect)) return 'content';
  }
  // A page about the very thing or person that the user named.
  return supplier === 'requested' && effect === 'fetch' && isNamed(text) ? 'content' : supplier;
}

/** Whether a request names one of the service's own identifiers: it chose what is destroyed, bought or run. */
function isChosenByRequest({ effect }: GateQuestion, { provenance }: Argument): boolean {
  const { trust, vouchedBy, pieces } = provenance;
  if (!GRAVE.has(effect) || trust !== 'vouched' || vouchedBy !== undefined) return false;
  return pieces.some(({ occurrences }) => occurrences.some((each) => each.trust === 'requested'));
}

/** Whether all messages that have a value ask for this act: the value may be in another sentence or field than the request. */
function isRequestedBeside({ isRequestedBeside: isAsked }: GateQuestion, { provenance }: Argument): boolean {
  const places = provenance.pieces.flatMap(({ occurrences }) => occurrences);
  return (
    provenance.trust === 'open' && places.length > 0 && places.every((each) => each.trust === 'open' && isAsked(each))
  );
}

/** Whether the name of an argument, or its tool, says that it is told something: an address in a form's fields is not. */
function isNamedRecipient({ tool }: GateQuestion, { path }: Argument): boolean {
  const name = path.split('/').findLast((key) => /\D/.test(key)) ?? '';
  return (tool?.roles.get(name) ?? roleOfName(name)) === 'recipient';
}

/** Whether an address is on a host that the user typed. */
function isOnPointedHost(question: GateQuestion, argument: Argument): boolean {
  const pages = pagesIn(argument.text).map((page) => destinationOf(question, argument, page));
  return isVouched(argument) || (pages.length > 0 && pages.every(({ chosen }) => chosen.trust === 'pointed'));
}

/** The host says who is told something, not the page: a host that the user pointed at, or that a person let a call reach. */
function pageSupplier(question: GateQuestion, argument: Argument, supplier: Supplier): Supplier {
  const { effect, isReached } = question;
  if (argument.role !== 'url' || !CONTACTING.has(effect)) return supplier;
  if (supplier === 'content' && isOnPointedHost(question, argument)) return 'named';
  const pages = pagesIn(argument.text).map((page) => destinationOf(question, argument, page));
  const areReached = pages.every(({ host }) => host !== undefined && isReached(host));
  return supplier === 'requested' && effect === 'fetch' && areReached ? 'content' : supplier;
}

/**
 * Whether the user, who pointed at content, meant what it asks for: a request that they can see, for an act that they asked for,
 * with a value that they left open. Or they said that what it asks for shall be done.
 */
function isRequestMeant(question: GateQuestion, { role }: Argument, request: 'seen' | 'unseen'): boolean {
  const { asked, effect, isDelegated, hasTyped } = question;
  if (request === 'unseen') return false;
  if (isDelegated) return true;
  // An id of a message says whom it reaches.
  const isLeftOpen = !hasTyped(role) && !(effect === 'send' && role === 'id' && hasTyped('recipient'));
  return asked !== 'not asked' && CONTACTING.has(effect) && isLeftOpen;
}

/** What the user pointed at supplies values for what they asked for, and not the act itself. */
function pointedSupplier(question: GateQuestion, argument: Argument): Supplier {
  const places = argument.provenance.pieces.flatMap(({ occurrences }) =>
    occurrences.filter(({ trust }) => trust === 'pointed'),
  );
  if (places.length === 0) return 'named';
  // An attacker can write a value twice: the worst place counts.
  const isRequested = places.some((place) => {
    const request = question.requestAt(place) ?? (question.isRequestedBeside(place) ? 'seen' : undefined);
    return request !== undefined && !isRequestMeant(question, argument, request);
  });
  if (isRequested) return 'requested';
  // For another act than the user asked for, it may supply what is written on a page that they typed, but no one to tell.
  const isTold = argument.role === 'recipient' && isNamedRecipient(question, argument);
  const hasPage = !isTold && question.arguments.some((each) => each.role === 'url' && isOnPointedHost(question, each));
  const isUnasked = question.asked === 'not asked' && !(question.effect === 'send' && hasPage);
  return isUnasked || isOtherSetting(question) ? 'content' : 'named';
}

// No step up, no folder that tools read their settings from.
const PROJECT_PATH = /^(?!.*(?:^|[\\/])\.)(?![A-Za-z]:)[^\\/~\s][^:]*$/;

/** Whether a path is below the folder of the project: from there, or from the root. */
function isInProject({ project }: GateQuestion, text: string): boolean {
  const folder = project?.replace(/[\\/]+$/, '');
  const isBelow = folder !== undefined && text.startsWith(folder) && /^[\\/]/.test(text.slice(folder.length));
  return PROJECT_PATH.test(isBelow ? text.slice(folder.length + 1) : text);
}

/** An agent that works on a project writes below its folder: an issue may name the file. Elsewhere, files are the user's own. */
function projectSupplier(question: GateQuestion, { role, text, provenance }: Argument, supplier: Supplier): Supplier {
  const isWork = question.effect === 'write' && role === 'path' && isInProject(question, text);
  if (supplier !== 'requested' || !isWork || provenance.trust === 'suspect') return supplier;
  const places = provenance.pieces.flatMap(({ occurrences }) => occurrences);
  return places.some((place) => question.requestAt(place) === 'unseen') ? supplier : 'content';
}

/** Who supplied a value, by where it was found. */
function foundSupplier(question: GateQuestion, argument: Argument): Supplier {
  if (isChosenByRequest(question, argument) || isRequestedBeside(question, argument)) return 'requested';
  const { trust } = argument.provenance;
  return trust === 'pointed' ? pointedSupplier(question, argument) : supplierOf(trust);
}

/** Who supplied a deciding value. */
export function balancedSupplier(question: GateQuestion, argument: Argument): Supplier {
  const { role, text, provenance } = argument;
  if (isUnfinished(provenance)) return 'requested';
  const found = foundSupplier(question, argument);
  // A README may name an ordinary command. That counts only if it tells the model to run it.
  const isOrdinary = role === 'command' && (isOrdinaryIn(question, text) || isOrderedCommand(question, argument));
  if ((isOrdinary || isOrderedFolder(question, argument)) && found !== 'instructed') return 'trusted';
  // The user, who could have asked for another command, is not heard: if content names it, content asks for it.
  if (role === 'command' && found === 'content' && question.asked === 'unheard') return 'requested';
  const supplier = pageSupplier(question, argument, projectSupplier(question, argument, found));
  return question.asked === 'asked' ? askedSupplier(question, argument, supplier) : supplier;
}
