import { pagesIn } from '../address/host.ts';
import { isOrdinaryCommand } from '../call/command.ts';
import type { Effect } from '../call/effect.ts';
import { isDeciding, isTelling } from '../call/role.ts';
import type { Supplier, TableChanges } from '../call/table-changes.ts';
import { vouches } from '../label/label.ts';
import type { Occurrence } from '../provenance/occurrence.ts';
import { isUnfinished, type Provenance } from '../provenance/trace.ts';
import type { Argument } from '../provenance/trace-call.ts';
import type { GateQuestion, Rule, Rules } from './decision.ts';
import { destinationOf, destinationsIn } from './destination.ts';
import { disclosure } from './disclosure.ts';
import { blind, computed, isVouched, namesOf, OVER_BUDGET, overBudget, oversized, reads, undeclared } from './rules.ts';
import { BALANCED, outcomeIn, STRICT, supplierOf, type Table, worse } from './table.ts';

/** A table, and whether anything but a trusted source's own words makes a value trusted. */
interface Policy {
  readonly table: Table;
  /** Whether only what trusted sources wrote counts, so that untrusted content cannot change what is allowed. */
  readonly isStrict: boolean;
}

/** Effects with which a person whom the user named may be reached at an address that was found. */
const CONTACTING: ReadonlySet<Effect> = new Set(['send', 'write', 'fetch']);

/** Effects for which something must name the target. */
const GRAVE: ReadonlySet<Effect> = new Set(['spend', 'destroy', 'execute']);

// What runs or is read later: files of shells and of the system, keys, hooks, jobs, and instructions for agents.
const LASTING =
  /(?:^|\/)\.(?:ssh|aws|gnupg|config|docker|kube|bashrc|bash_profile|zshrc|zshenv|profile|npmrc|netrc|gitconfig|git\/hooks|github\/workflows|cursor|claude|vscode)(?:$|\/)|^~\/\.|^\/(?:etc|boot|Library|usr\/lib)\/|crontab|autostart|LaunchAgents|(?:^|\/)(?:AGENTS|CLAUDE|GEMINI)\.md$|\.mcp\.json$|\.cursorrules$/i;

/** A shell that does ordinary work on a project only writes; to write a file that acts later is to configure. */
export function judgedEffect({ effect, arguments: all }: GateQuestion, isStrict: boolean): Effect {
  const isLasting = all.some(({ role, text }) => role === 'path' && LASTING.test(text));
  if (isLasting && (effect === 'write' || effect === 'fetch')) return 'configure';
  if (isStrict || effect !== 'execute') return effect;
  const commands = all.filter(({ role }) => role === 'command');
  const isOrdinary = commands.length > 0 && commands.every(({ text }) => isOrdinaryCommand(text));
  return isOrdinary ? 'write' : effect;
}

/** Untrusted content cannot make a value trusted here: only what trusted sources wrote does. */
function strictSupplier({ context }: GateQuestion, argument: Argument): Supplier {
  if (isVouched(argument) || vouches(context.integrity)) return 'trusted';
  if (isUnfinished(argument.provenance)) return 'requested';
  const supplier = supplierOf(argument.provenance.trust);
  return supplier === 'trusted' ? 'content' : supplier;
}

/** What the user asked for says more than where a value was found: whom they named, and what they typed. */
function askedSupplier(question: GateQuestion, { role, text }: Argument, supplier: Supplier): Supplier {
  const { effect, isRequested, isNamedPerson, isNamed } = question;
  // The model adds up amounts: a sum that no content names is part of the act.
  if (supplier === 'model' && (role === 'amount' || (role === 'id' && effect === 'spend' && !isRequested)))
    return 'trusted';
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

/** The host says who is told something, not the page: a host that the user pointed at, or that a person let a call reach. */
function pageSupplier(question: GateQuestion, argument: Argument, supplier: Supplier): Supplier {
  const { effect, isReached } = question;
  if (argument.role !== 'url' || !CONTACTING.has(effect)) return supplier;
  const pages = pagesIn(argument.text).map((page) => destinationOf(question, argument, page));
  if (supplier === 'content' && pages.every(({ chosen }) => chosen.trust === 'pointed')) return 'named';
  const areReached = pages.every(({ host }) => host !== undefined && isReached(host));
  return supplier === 'requested' && effect === 'fetch' && areReached ? 'content' : supplier;
}

/** Who supplied a deciding value. */
function balancedSupplier(question: GateQuestion, argument: Argument): Supplier {
  const { role, text, provenance } = argument;
  if (isUnfinished(provenance)) return 'requested';
  const isRequested = isChosenByRequest(question, argument) || isRequestedBeside(question, argument);
  const found = isRequested ? 'requested' : supplierOf(provenance.trust);
  // A README may name an ordinary command. That counts only if it tells the model to run it.
  if (role === 'command' && found !== 'instructed' && isOrdinaryCommand(text)) return 'trusted';
  // The user, who could have asked for another command, is not heard: if content names it, content asks for it.
  if (role === 'command' && found === 'content' && question.asked === 'unheard') return 'requested';
  const supplier = pageSupplier(question, argument, found);
  return question.asked === 'asked' ? askedSupplier(question, argument, supplier) : supplier;
}

/** The values that decide what a call does, and those that an instruction in content names. Strictly, all. */
function decidingIn({ arguments: all }: GateQuestion, effect: Effect, { isStrict }: Policy): readonly Argument[] {
  const values = all.filter(({ isFree }) => !isFree);
  if (isStrict) return values;
  const deciding = values.filter(
    ({ role, provenance }) =>
      isTelling(role) && (isDeciding(effect, role) || provenance.trust === 'flagged' || isUnfinished(provenance)),
  );
  // Something must name what is destroyed, run or bought: a name, a pattern, a query.
  return deciding.length === 0 && GRAVE.has(effect) ? values.filter(({ role }) => role === 'text') : deciding;
}

/** A text that is word for word what an instruction, and nothing else, dictates. */
function isDictated({ text, isFree, role, provenance }: Argument): boolean {
  const isInstruction = ({ trust }: Occurrence): boolean => trust === 'flagged' || trust === 'suspect';
  const isWhole = provenance.pieces.some(
    ({ start, end, how, occurrences }) =>
      how === 'whole' &&
      end - start >= text.trim().length &&
      occurrences.length > 0 &&
      (occurrences.some(({ trust }) => trust === 'flagged') || occurrences.every(isInstruction)),
  );
  return (isFree || role === 'text') && isWhole;
}

/** Something in a call that decides, and who supplied it. */
interface Finding {
  readonly argument: Argument;
  readonly supplier: Supplier;
  /** Where it comes from: the value itself, or an address in a text. */
  readonly source: Provenance;
  readonly isAddress?: boolean;
}

function textsOf({ arguments: all }: GateQuestion): readonly Argument[] {
  return all.filter(({ isFree, role }) => isFree || role === 'text');
}

/** The wording of a text is the model's own; the addresses in it may not be. */
function addressesIn(question: GateQuestion, { isStrict }: Policy): readonly Finding[] {
  const isTrusted = (chosen: Provenance): boolean => {
    const { vouchedBy, trust } = chosen;
    if (isStrict) return vouchedBy !== undefined || vouches(question.context.integrity);
    return trust !== 'flagged' && !isUnfinished(chosen);
  };
  return destinationsIn(question, textsOf(question), isStrict)
    .filter(({ chosen }) => !isTrusted(chosen))
    .map(({ argument, chosen }) => ({ argument, supplier: 'requested', source: chosen, isAddress: true }));
}

function findingsIn(question: GateQuestion, effect: Effect, policy: Policy): readonly Finding[] {
  const supplierIn = policy.isStrict ? strictSupplier : balancedSupplier;
  // Where the user is not heard, a tool that edits a file copies what it replaces.
  const isEdit = question.asked === 'unheard' && effect === 'write';
  const dictated = policy.isStrict || isEdit ? [] : question.arguments.filter(isDictated);
  const finding = (argument: Argument, supplier: Supplier): Finding => ({
    argument,
    supplier,
    source: argument.provenance,
  });
  return [
    ...decidingIn(question, effect, policy).map((each) => finding(each, supplierIn(question, each))),
    ...dictated.map((each) => finding(each, 'requested')),
    ...addressesIn(question, policy),
  ];
}

const PHRASES: Readonly<Record<Supplier, (name: string) => string>> = {
  trusted: () => 'you or a trusted source',
  named: (name) => `${name}, which you pointed at`,
  model: () => 'the model itself',
  content: (name) => `${name}, which others wrote`,
  requested: (name) => `a request in ${name}, which others wrote`,
  instructed: (name) => `an instruction to the model in ${name}`,
};

// An application may name a source after what content says, such as a title: a sentence is not repeated.
const PLAIN_NAME = /^[\p{L}\p{N}_.:/@-]{1,80}$/u;

/** Where a value comes from, for a person to read. */
function phraseOf({ nameOf, labelOf }: GateQuestion, { supplier, source: { trust, pieces } }: Finding): string {
  const places = pieces.filter((piece) => piece.trust === trust).flatMap(({ occurrences }) => occurrences);
  const place = places.find((each) => each.trust === trust) ?? places[0];
  if (place === undefined && supplier === 'named') return 'a site that you named';
  if (place === undefined && trust === 'suspect') return 'an address that programs read in different ways';
  if (supplier !== 'trusted' && place !== undefined && labelOf(place.recordId)?.integrity === 'user')
    return 'words that you only quoted, forbade or asked about';
  const given = place && nameOf(place.recordId);
  const name = given !== undefined && PLAIN_NAME.test(given) ? given : 'content';
  if (trust === 'suspect') return `a part of ${name} that was not checked, or that may be an instruction to the model`;
  return PHRASES[supplier === 'requested' && trust === 'flagged' ? 'instructed' : supplier](name);
}

function reasonOf(question: GateQuestion, findings: readonly Finding[], isAllowed: boolean): string {
  const unasked = question.asked === 'not asked' && !isAllowed ? 'You did not ask for this. ' : '';
  const [first] = findings;
  if (first === undefined && unasked !== '') return unasked.trim();
  if (first === undefined)
    return isAllowed ? 'No value decides what this call does.' : 'No value says what this call is for.';
  const about = findings.map(({ argument }) => argument);
  const names = namesOf(about).replace(/^the /, 'The ').replace(/^an /, 'An ');
  const isOne = new Set(about.map(({ path }) => path)).size === 1 && about[0]?.path !== '';
  const verb = first.isAddress ? (isOne ? 'has an address' : 'have an address') : isOne ? 'comes' : 'come';
  return `${unasked}${names} ${verb} from ${phraseOf(question, first)}.`;
}

/** The effect, whether the user asked for it, and who supplied the worst of the values that decide what it does. */
function decidedBy(policy: Policy, changes: TableChanges): Rule {
  return (question) => {
    const { asked, tool, context } = question;
    const effect = judgedEffect(question, policy.isStrict);
    if (effect === 'read') return undefined;
    const findings = findingsIn(question, effect, policy);
    // Without a value that decides anything, the call is the act alone: the user's if they asked for it.
    const isOwnAct = policy.isStrict ? !GRAVE.has(effect) || vouches(context.integrity) : asked === 'asked';
    const act: Supplier = findings.length > 0 || isOwnAct ? 'trusted' : 'model';
    const supplier = findings.map((each) => each.supplier).reduce(worse, act);
    const worst = findings.filter((each) => each.supplier === supplier);
    const cell = { effect, asked, supplier };
    const outcome = outcomeIn(policy.table, cell, tool?.table === undefined ? [changes] : [tool.table, changes]);
    const about = [...new Set(worst.map(({ argument }) => argument))];
    if (supplier === 'requested' && outcome !== 'allow' && worst.every(({ source }) => isUnfinished(source)))
      return { outcome, reason: overBudget(about), about, name: OVER_BUDGET };
    return { outcome, reason: reasonOf(question, worst, outcome === 'allow'), about, cell };
  };
}

/**
 * Reads the addresses of one text after the other, before the rules do: they are synchronous, and find what was read. The caller
 * can do something else in between.
 */
export function* readAhead(question: GateQuestion, preset: string): Generator<undefined> {
  yield;
  if (question.effect === 'read' || preset === 'none') return;
  for (const argument of textsOf(question)) {
    destinationsIn(question, [argument], preset === 'strict');
    yield;
  }
}

/** One table, and what no table can say. */
export function balancedRules(changes: TableChanges): Rules {
  const decided = decidedBy({ table: BALANCED, isStrict: false }, changes);
  return Object.freeze({ reads, blind, undeclared, oversized, computed, disclosure, decided });
}

export function strictRules(changes: TableChanges): Rules {
  const decided = decidedBy({ table: STRICT, isStrict: true }, changes);
  return Object.freeze({ reads, blind, undeclared, oversized, decided });
}
