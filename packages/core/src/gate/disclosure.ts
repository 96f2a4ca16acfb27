import { ADDRESS_TOKEN } from '../address/address-token.ts';
import { LOWEST } from '../label/label.ts';
import type { Occurrence, Place } from '../provenance/occurrence.ts';
import type { Argument } from '../provenance/trace-call.ts';
import type { GateQuestion, Rule } from './decision.ts';
import { type Destination, destinationOf, destinationsIn, isChosenByOthers } from './destination.ts';

/** Effects that tell others something. */
const TELLING: ReadonlySet<string> = new Set(['fetch', 'send', 'configure', 'spend', 'execute']);

/** Whom a call reaches: recipients, hosts, and the addresses in a command. */
function targetsOf(question: GateQuestion): readonly Destination[] {
  return question.arguments.flatMap((argument) => {
    if (argument.isFree || !['recipient', 'url', 'command'].includes(argument.role)) return [];
    const found = argument.text.match(ADDRESS_TOKEN) ?? [];
    if (argument.role === 'url') return [destinationOf(question, argument, argument.text.trim())];
    const addresses = found.length > 0 || argument.role === 'command' ? found : [argument.text];
    return addresses.map((address) => destinationOf(question, argument, address));
  });
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

/** The private words of a text that the one who chose the destination did not write. */
function privateIn(question: GateQuestion, text: string, chosenBy: readonly Place[]): 'private' | 'secret' | undefined {
  const { pieces } = question.trace(text);
  if (pieces.some(({ isIncomplete }) => isIncomplete)) return unread(question);
  const degrees = pieces
    .filter(
      ({ occurrences }) => !occurrences.some((each) => chosenBy.some((place) => question.isSameMessage(each, place))),
    )
    .flatMap(({ occurrences }) => occurrences.map((each) => confidentialityOf(question, each)));
  const { confidentiality } = question.context;
  if (confidentiality !== 'public' && isOpaque(question, text)) degrees.push(confidentiality);
  return degrees.includes('secret') ? 'secret' : degrees.includes('private') ? 'private' : undefined;
}

/** Whether the search for a value ended at its limit. */
function isUnread({ provenance }: Argument): boolean {
  return provenance.pieces.some(({ isIncomplete }) => isIncomplete);
}

/** Private data on its way to a destination that untrusted content chose. */
export const disclosure: Rule = (question) => {
  const { effect, asked } = question;
  if (!TELLING.has(effect)) return undefined;
  const targets = targetsOf(question).filter(({ chosen }) => isChosenByOthers(chosen));
  const texts = question.arguments.filter(({ isFree, role }) => isFree || role === 'text');
  // The rest of a text is not sent to an address in it; what the address itself carries is.
  const links = destinationsIn(question, texts).filter(
    ({ chosen, carried }) => carried.length > 0 && isChosenByOthers(chosen),
  );
  if (targets.length === 0 && links.length === 0) return undefined;
  const places = ({ chosen }: Destination): Place[] => chosen.pieces.flatMap(({ occurrences }) => occurrences);
  const chosenBy = [...targets, ...links].flatMap(places);
  const holders = new Set(targets.map(({ argument }) => argument));
  const others = question.arguments.filter((each) => !holders.has(each));
  const isExcused = (degree: 'private' | 'secret' | undefined): boolean =>
    degree === undefined || (degree === 'private' && asked === 'asked');
  // A call that only fetches tells a host no more than its address.
  const told = (effect === 'fetch' || targets.length === 0 ? [] : others).filter(
    (each) =>
      each.role === 'secret' ||
      !isExcused(isUnread(each) ? unread(question) : privateIn(question, each.text, chosenBy)),
  );
  const carrying = [...targets, ...links].filter(({ carried }) =>
    carried.some((text) => privateIn(question, text, chosenBy) !== undefined),
  );
  if (told.length === 0 && carrying.length === 0) return undefined;
  const about = [...new Set([...(told.length > 0 ? holders : carrying.map(({ argument }) => argument)), ...told])];
  return {
    outcome: 'ask',
    reason:
      'Private data would go to an address that untrusted content chose. Allow it only if the recipient may see that data.',
    about,
  };
};
