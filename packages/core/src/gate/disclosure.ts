import { addressTokensIn } from '../address/address-token.ts';
import { pagesIn } from '../address/host.ts';
import { LOWEST } from '../label/label.ts';
import type { Occurrence, Place } from '../provenance/occurrence.ts';
import { isUnfinished } from '../provenance/trace.ts';
import type { Argument } from '../provenance/trace-call.ts';
import { type Destination, MAX_ADDRESSES } from './addresses.ts';
import type { GateQuestion, Rule } from './decision.ts';
import { destinationOf, destinationsIn, isChosenByOthers, TELLS_OTHERS, untraced } from './destination.ts';
import { OVER_BUDGET, overBudget } from './rules.ts';

/** Whom an argument reaches: a recipient, a host, or the addresses in a command. More than `max` count as one. */
function targetsIn(question: GateQuestion, argument: Argument, max: number): readonly Destination[] {
  if (max <= 0) return [untraced(argument)];
  if (argument.role === 'url') return pagesIn(argument.text).map((page) => destinationOf(question, argument, page));
  const found: string[] = [];
  for (const { text } of addressTokensIn(argument.text)) {
    if (found.length === max) return [untraced(argument)];
    found.push(text);
  }
  const addresses = found.length > 0 || argument.role === 'command' ? found : [argument.text];
  return addresses.map((address) => destinationOf(question, argument, address));
}

/** Whom a call reaches. */
function targetsOf(question: GateQuestion): readonly Destination[] {
  const targets: Destination[] = [];
  for (const argument of question.arguments)
    if (!argument.isFree && ['recipient', 'url', 'command'].includes(argument.role))
      targets.push(...targetsIn(question, argument, MAX_ADDRESSES - targets.length));
  return targets;
}

/** Everything that is not public, except the user's own messages: those are meant to be used. */
function confidentialityOf({ labelOf }: GateQuestion, { recordId }: Occurrence): 'public' | 'private' | 'secret' {
  const { integrity, confidentiality } = labelOf(recordId) ?? LOWEST;
  return integrity === 'user' ? 'public' : confidentiality;
}

// Letters and digits that spell nothing: `Nzc0OTEy`, `thecodeis774912`. A short secret looks like that in most encodings.
const OPAQUE =
  /(?<![\p{L}\p{N}])(?=[A-Za-z_=-]*\d|[a-z_-]+[A-Z]+[a-z]*[A-Z]|[A-Z]+[a-z]+[A-Z]+[a-z])[A-Za-z0-9+_=-]{6,}|[A-Za-z0-9+_=-]{16,}/gu;
const MAX_OPAQUE = 20;

/** Whether a text holds characters that occur nowhere and spell nothing: they may be anything that the model has read. */
function isOpaque({ trace }: GateQuestion, text: string): boolean {
  const tokens = text.match(OPAQUE) ?? [];
  return tokens.length > MAX_OPAQUE || tokens.some((token) => trace(token).trust === 'own');
}

/** What was not searched may be anything that the model has read. */
function unread({ context }: GateQuestion): 'private' | 'secret' {
  return context.confidentiality === 'secret' ? 'secret' : 'private';
}

/** What a text would tell: nothing private, something private, or `unread` if that was too much to check. */
type Degree = 'private' | 'secret' | 'unread' | undefined;

/** The private words of a text that the one who chose the destination did not write. */
function privateIn(question: GateQuestion, text: string, chosenBy: readonly Place[]): Degree {
  const { pieces } = question.trace(text);
  if (pieces.some(({ isIncomplete }) => isIncomplete)) return 'unread';
  const degrees = pieces
    .filter(
      ({ occurrences }) => !occurrences.some((each) => chosenBy.some((place) => question.isSameMessage(each, place))),
    )
    .flatMap(({ occurrences }) => occurrences.map((each) => confidentialityOf(question, each)));
  const { confidentiality } = question.context;
  if (confidentiality !== 'public' && isOpaque(question, text)) degrees.push(confidentiality);
  return degrees.includes('secret') ? 'secret' : degrees.includes('private') ? 'private' : undefined;
}

const MAX_MESSAGES = 20;

/** One place of each message that has the destinations of a call. */
function messagesOf({ isSameMessage }: GateQuestion, destinations: readonly Destination[]): readonly Place[] {
  const places: Place[] = [];
  for (const { chosen } of destinations)
    for (const { occurrences } of chosen.pieces)
      for (const each of occurrences) {
        // The words of a message beyond these count as words of others: that only holds more.
        if (places.length === MAX_MESSAGES) return places;
        if (!places.some((place) => isSameMessage(each, place))) places.push(each);
      }
  return places;
}

/** Whether the search for a value ended at its limit. */
function isUnread({ provenance }: Argument): boolean {
  return provenance.pieces.some(({ isIncomplete }) => isIncomplete);
}

/** The first degree that was found, or `unread` if only that was. */
function worstOf(texts: readonly string[], degreeOf: (text: string) => Degree): Degree {
  let isUnread = false;
  for (const text of texts) {
    const degree = degreeOf(text);
    if (degree === 'private' || degree === 'secret') return degree;
    isUnread ||= degree === 'unread';
  }
  return isUnread ? 'unread' : undefined;
}

/** Private data on its way to a destination that untrusted content chose. */
export const disclosure: Rule = (question) => {
  const { effect, asked } = question;
  if (!TELLS_OTHERS.has(effect)) return undefined;
  const targets = targetsOf(question).filter(({ chosen }) => isChosenByOthers(chosen));
  const texts = question.arguments.filter(({ isFree, role }) => isFree || role === 'text');
  // The rest of a text is not sent to an address in it; what the address itself carries is.
  const links = destinationsIn(question, texts).filter(
    ({ chosen, carried }) => carried.length > 0 && isChosenByOthers(chosen),
  );
  if (targets.length === 0 && links.length === 0) return undefined;
  const destinations = [...targets, ...links];
  const chosenBy = messagesOf(question, destinations);
  const holders = new Set(targets.map(({ argument }) => argument));
  // A command holds an address and what is sent there.
  const others = question.arguments.filter((each) => each.role === 'command' || !holders.has(each));
  const isExcused = (degree: Degree): boolean => {
    const told = degree === 'unread' ? unread(question) : degree;
    return told === undefined || (told === 'private' && asked === 'asked');
  };
  const degreeOf = (argument: Argument): Degree => {
    if (argument.role === 'secret') return 'secret';
    return isUnread(argument) ? 'unread' : privateIn(question, argument.text, chosenBy);
  };
  // A call that only fetches tells a host no more than its address.
  const told = (effect === 'fetch' || targets.length === 0 ? [] : others)
    .map((argument) => ({ argument, degree: degreeOf(argument) }))
    .filter(({ degree }) => !isExcused(degree));
  const carrying = destinations
    .map(({ argument, carried }) => ({
      argument,
      degree: worstOf(carried, (text) => privateIn(question, text, chosenBy)),
    }))
    .filter(({ degree }) => degree !== undefined);
  if (told.length === 0 && carrying.length === 0) return undefined;
  const about = [
    ...new Set([
      ...(told.length > 0 ? holders : carrying.map(({ argument }) => argument)),
      ...told.map(({ argument }) => argument),
    ]),
  ];
  // Nothing private was found, or no destination that others chose: there was too much to search.
  const isUnchecked =
    [...told, ...carrying].every(({ degree }) => degree === 'unread') ||
    destinations.every(({ chosen }) => isUnfinished(chosen));
  if (isUnchecked) return { outcome: 'ask', reason: overBudget(about), about, name: OVER_BUDGET };
  return {
    outcome: 'ask',
    reason:
      'Private data would go to an address that untrusted content chose. Allow it only if the recipient may see that data.',
    about,
  };
};
