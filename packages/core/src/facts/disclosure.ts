import { addressTokensIn } from '../address/address-token.ts';
import { pagesIn } from '../address/host.ts';
import type { Role } from '../call/role.ts';
import { LOWEST } from '../label/label.ts';
import type { Occurrence, Place } from '../provenance/occurrence.ts';
import { isUnfinished, type Provenance } from '../provenance/trace.ts';
import type { Argument } from '../provenance/trace-call.ts';
import {
  type Destination,
  type Destinations,
  destinationOf,
  isChosenByOthers,
  MAX_ADDRESSES,
  TELLS_OTHERS,
  textsOf,
  untraced,
} from './destination.ts';
import type { Disclosure } from './facts.ts';
import type { Inspection } from './inspection.ts';

const REACHING: ReadonlySet<Role> = new Set(['recipient', 'url', 'command']);

/** Whom an argument reaches: a recipient, hosts, or the addresses in a command; undefined if there are more than `max`. */
function reachedBy({ role, text }: Argument, max: number): readonly string[] | undefined {
  if (max <= 0) return undefined;
  if (role === 'url') return pagesIn(text);
  const found: string[] = [];
  for (const token of addressTokensIn(text)) if (found.push(token.text) > max) return undefined;
  return found.length > 0 || role === 'command' ? found : [text];
}

/** Whom a call reaches. The addresses of an argument that has too many count as one. */
function targetsOf(question: Inspection): readonly Destination[] {
  const targets: Destination[] = [];
  for (const argument of question.arguments) {
    if (argument.isFree || !REACHING.has(argument.role)) continue;
    const reached = reachedBy(argument, MAX_ADDRESSES - targets.length);
    targets.push(...(reached?.map((each) => destinationOf(question, argument, each)) ?? [untraced(argument)]));
  }
  return targets;
}

/** Everything that is not public, except the user's own messages: those are meant to be used. */
function confidentialityOf({ labelOf }: Inspection, { recordId }: Occurrence): 'public' | 'private' | 'secret' {
  const { integrity, confidentiality } = labelOf(recordId) ?? LOWEST;
  return integrity === 'user' ? 'public' : confidentiality;
}

/** What a text would tell: nothing private, something private, or `unchecked` if that was too much to check. */
type Degree = 'private' | 'secret' | 'unchecked' | undefined;

// A number, a code, an address: what a text tells about somebody. Other words are the model's wording.
const FACT = /\d[\d ()+-]{3,}\d|\S@\S|(?=\S*\d)(?=\S*[A-Za-z])\S{6,}/;

function isUnread({ pieces }: Provenance): boolean {
  return pieces.some(({ isIncomplete }) => isIncomplete);
}

/** The private words of a text that the one who chose the destination did not write. */
function privateIn(question: Inspection, text: string, chosenBy: readonly Place[]): Degree {
  const provenance = question.trace(text);
  if (isUnread(provenance)) return 'unchecked';
  const degrees = provenance.pieces
    .filter(({ start, end }) => FACT.test(text.slice(start, end)))
    .filter(
      ({ occurrences }) => !occurrences.some((each) => chosenBy.some((place) => question.isSameMessage(each, place))),
    )
    .flatMap(({ occurrences }) => occurrences.map((each) => confidentialityOf(question, each)));
  return degrees.includes('secret') ? 'secret' : degrees.includes('private') ? 'private' : undefined;
}

/** The first degree that was found, or `unchecked` if only that was. */
function firstDegree(texts: readonly string[], degreeOf: (text: string) => Degree): Degree {
  let first: Degree;
  for (const text of texts) {
    const degree = degreeOf(text);
    if (degree === 'private' || degree === 'secret') return degree;
    first ??= degree;
  }
  return first;
}

// The words of more messages count as words of others, which only holds more calls.
const MAX_MESSAGES = 20;

/** One place of each message that has the destinations of a call. */
function messagesOf({ isSameMessage }: Inspection, destinations: readonly Destination[]): readonly Place[] {
  const places: Place[] = [];
  const all = destinations.flatMap(({ chosen }) => chosen.pieces).flatMap(({ occurrences }) => occurrences);
  for (const each of all)
    if (places.length < MAX_MESSAGES && !places.some((place) => isSameMessage(each, place))) places.push(each);
  return places;
}

/** Only the user's own workspace names a destination, such as their contacts, and nothing there asks for it. */
function isOfWorkspace({ labelOf }: Inspection, { trust, pieces }: Provenance): boolean {
  const places = pieces.flatMap(({ occurrences }) => occurrences);
  const isTheirs = ({ recordId }: Occurrence): boolean => labelOf(recordId)?.integrity === 'workspace';
  return trust === 'open' && places.length > 0 && places.every(isTheirs);
}

/** What a draft says, and whom it reaches, was said when it was made. Undefined if no draft of others' is used. */
function draftsIn({ arguments: all, call }: Inspection): Disclosure | undefined {
  if (call.context.confidentiality === 'public') return undefined;
  const drafts = all.filter(({ provenance }) => provenance.isMade === true && isChosenByOthers(provenance));
  return drafts.length === 0 ? undefined : { degree: 'private', paths: drafts.map(({ path }) => path) };
}

/** What private data a call would give to an address that others chose. */
export function disclosureOf(question: Inspection, addresses: Destinations): Disclosure | undefined {
  const { effect } = question;
  if (!TELLS_OTHERS.has(effect)) return undefined;
  const ofDrafts = draftsIn(question);
  if (ofDrafts !== undefined) return ofDrafts;
  const targets = targetsOf(question).filter(
    ({ chosen }) => isChosenByOthers(chosen) && !isOfWorkspace(question, chosen),
  );
  // The rest of a text is not sent to an address in it; what the address itself carries is.
  const links = addresses
    .in(textsOf(question))
    .filter(({ chosen, carried }) => carried.length > 0 && isChosenByOthers(chosen));
  const destinations = [...targets, ...links];
  if (destinations.length === 0) return undefined;
  const chosenBy = messagesOf(question, destinations);
  const holders = new Set(targets.map(({ argument }) => argument));
  // A command holds an address and what is sent there.
  const others = question.arguments.filter((each) => each.role === 'command' || !holders.has(each));
  const degreeOf = ({ role, text, provenance }: Argument): Degree => {
    if (role === 'secret') return 'secret';
    return isUnread(provenance) ? 'unchecked' : privateIn(question, text, chosenBy);
  };
  // A call that only fetches tells a host no more than its address.
  const told = (effect === 'fetch' || targets.length === 0 ? [] : others)
    .map((argument) => ({ argument, degree: degreeOf(argument) }))
    .filter(({ degree }) => degree !== undefined);
  const carrying = destinations
    .map(({ argument, carried }) => ({
      argument,
      degree: firstDegree(carried, (text) => privateIn(question, text, chosenBy)),
    }))
    .filter(({ degree }) => degree !== undefined);
  const degrees = [...told, ...carrying].map(({ degree }) => degree);
  if (degrees.length === 0) return undefined;
  const reaching = told.length > 0 ? [...holders] : carrying.map(({ argument }) => argument);
  const paths = [...new Set([...reaching, ...told.map(({ argument }) => argument)].map(({ path }) => path))];
  // Nothing private was found, or no destination that others chose: there was too much to search.
  const isUnchecked =
    degrees.every((each) => each === 'unchecked') || destinations.every(({ chosen }) => isUnfinished(chosen));
  if (isUnchecked) return { degree: 'unchecked', paths };
  return { degree: degrees.includes('secret') ? 'secret' : 'private', paths };
}
