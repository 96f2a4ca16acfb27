import { isUrl, partsOfAddress } from '../address/host.ts';
import { LOWEST } from '../label/label.ts';
import type { Occurrence, Place } from '../provenance/occurrence.ts';
import type { Provenance } from '../provenance/trace.ts';
import type { Argument } from '../provenance/trace-call.ts';
import { TRUST_CLASSES } from '../provenance/trust.ts';
import type { GateQuestion, Rule } from './decision.ts';

/** Effects that tell others something. */
const TELLING: ReadonlySet<string> = new Set(['fetch', 'send', 'configure', 'spend', 'execute']);

const ADDRESS =
  /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}|(?:[a-z][a-z0-9+.-]{1,20}:\/\/|www\.)[^\s"'<>()|;]+/giu;

/** Where a call goes, and what the address itself carries there. */
interface Target {
  readonly argument: Argument;
  readonly chosen: Provenance;
  readonly carried: readonly string[];
}

function targetOf(question: GateQuestion, argument: Argument, address: string): Target {
  const isPage = isUrl(address) || argument.role === 'url';
  const parts = isPage ? partsOfAddress(isUrl(address) ? address : `http://${address}`) : undefined;
  if (parts === undefined || parts.host === '')
    return {
      argument,
      chosen: address === argument.text ? question.sourceOf(argument) : question.trace(address),
      carried: [],
    };
  // Who chose the destination is read from the host alone; the rest of the address is what it is told.
  const chosen = question.trace(parts.host.replace(/^www\./, ''));
  return { argument, chosen, carried: parts.carried };
}

/** Whom a call reaches: recipients, hosts, and the addresses in a command. */
function targetsOf(question: GateQuestion): readonly Target[] {
  return question.arguments.flatMap((argument) => {
    if (argument.isFree || !['recipient', 'url', 'command'].includes(argument.role)) return [];
    const found = argument.text.match(ADDRESS) ?? [];
    if (argument.role === 'url') return [targetOf(question, argument, argument.text.trim())];
    const addresses = found.length > 0 || argument.role === 'command' ? found : [argument.text];
    return addresses.map((address) => targetOf(question, argument, address));
  });
}

function isChosenByOthers({ trust, vouchedBy }: Provenance): boolean {
  return vouchedBy === undefined && TRUST_CLASSES.indexOf(trust) >= TRUST_CLASSES.indexOf('open');
}

/** Everything that is not public, except the user's own messages: those are meant to be used. */
function confidentialityOf({ labelOf }: GateQuestion, { recordId }: Occurrence): 'public' | 'private' | 'secret' {
  const { integrity, confidentiality } = labelOf(recordId) ?? LOWEST;
  return integrity === 'user' ? 'public' : confidentiality;
}

/** The private words of a text that the one who chose the destination did not write. */
function privateIn(question: GateQuestion, text: string, chosenBy: readonly Place[]): 'private' | 'secret' | undefined {
  const degrees = question
    .trace(text)
    .pieces.filter(({ trust }) => trust !== 'vouched')
    .filter(
      ({ occurrences }) => !occurrences.some((each) => chosenBy.some((place) => question.isSameMessage(each, place))),
    )
    .flatMap(({ occurrences }) => occurrences.map((each) => confidentialityOf(question, each)));
  return degrees.includes('secret') ? 'secret' : degrees.includes('private') ? 'private' : undefined;
}

/** Private data on its way to a destination that untrusted content chose. */
export const disclosure: Rule = (question) => {
  const { effect, asked } = question;
  if (!TELLING.has(effect)) return undefined;
  const targets = targetsOf(question).filter(({ chosen }) => isChosenByOthers(chosen));
  if (targets.length === 0) return undefined;
  const places = ({ chosen }: Target): Place[] => chosen.pieces.flatMap(({ occurrences }) => occurrences);
  const chosenBy = targets.flatMap(places);
  const holders = new Set(targets.map(({ argument }) => argument));
  const others = question.arguments.filter((each) => !holders.has(each));
  const isExcused = (degree: 'private' | 'secret' | undefined): boolean =>
    degree === undefined || (degree === 'private' && effect === 'send' && asked === 'asked');
  // A call that only fetches tells a host no more than its address.
  const told = (effect === 'fetch' ? [] : others).filter(
    (each) => each.role === 'secret' || !isExcused(privateIn(question, each.text, chosenBy)),
  );
  const carrying = targets.filter(({ carried }) =>
    carried.some((text) => privateIn(question, text, chosenBy) !== undefined),
  );
  if (told.length === 0 && carrying.length === 0) return undefined;
  const about = [...new Set([...(told.length > 0 ? holders : carrying.map(({ argument }) => argument)), ...told])];
  return {
    outcome: 'ask',
    reason:
      'Private data would go to an address that untrusted content chose. Allow it only if the recipient may see that data.',
    about,
    cell: 'disclosure',
  };
};
