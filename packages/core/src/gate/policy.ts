import { isOrdinaryCommand } from '../call/command.ts';
import type { Effect } from '../call/effect.ts';
import { isDeciding, isTelling } from '../call/role.ts';
import type { Supplier, TableChanges } from '../call/table-changes.ts';
import { vouches } from '../label/label.ts';
import type { Occurrence } from '../provenance/occurrence.ts';
import type { Provenance } from '../provenance/trace.ts';
import type { Argument } from '../provenance/trace-call.ts';
import type { GateQuestion, Rule, Rules } from './decision.ts';
import { destinationsIn } from './destination.ts';
import { disclosure } from './disclosure.ts';
import { blind, computed, isVouched, namesOf, reads, undeclared } from './rules.ts';
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
function effectOf({ effect, arguments: all }: GateQuestion, { isStrict }: Policy): Effect {
  const isLasting = all.some(({ role, text }) => role === 'path' && LASTING.test(text));
  if (isLasting && (effect === 'write' || effect === 'fetch')) return 'configure';
  if (isStrict || effect !== 'execute') return effect;
  const commands = all.filter(({ role }) => role === 'command');
  const isOrdinary = commands.length > 0 && commands.every(({ text }) => isOrdinaryCommand(text));
  return isOrdinary ? 'write' : effect;
}

/** Whether the search for a value ended at its limit. */
function isUnfinished({ provenance }: Argument): boolean {
  const worst = provenance.pieces.filter(({ trust }) => trust === provenance.trust);
  return worst.length > 0 && worst.every(({ isIncomplete }) => isIncomplete === true);
}

/** Untrusted content cannot make a value trusted here: only what trusted sources wrote does. */
function strictSupplier({ context }: GateQuestion, argument: Argument): Supplier {
  if (isVouched(argument) || vouches(context.integrity)) return 'trusted';
  if (isUnfinished(argument)) return 'requested';
  const supplier = supplierOf(argument.provenance.trust);
  return supplier === 'trusted' ? 'content' : supplier;
}

/** What the user asked for says more than where a value was found: whom they named, and what they typed. */
function askedSupplier(question: GateQuestion, { role, text }: Argument, supplier: Supplier): Supplier {
  const { effect, isNamedPerson, namesObject } = question;
  // The model adds up amounts: a sum that no content names is part of the act.
  if (supplier === 'model' && role === 'amount') return 'trusted';
  if (role === 'recipient' && isNamedPerson(text)) {
    if (supplier === 'content' && CONTACTING.has(effect)) return 'named';
    if (supplier === 'requested' && CONTACTING.has(effect)) return 'content';
  }
  // A page about the very thing that the user typed.
  return supplier === 'requested' && effect === 'fetch' && namesObject(text) ? 'content' : supplier;
}

/** Whether a request names one of the service's own identifiers: it chose what is destroyed, bought or run. */
function isChosenByRequest({ effect }: GateQuestion, { provenance }: Argument): boolean {
  const { trust, vouchedBy, pieces } = provenance;
  if (!GRAVE.has(effect) || trust !== 'vouched' || vouchedBy !== undefined) return false;
  return pieces.some(({ occurrences }) => occurrences.some((each) => each.trust === 'requested'));
}

/** Who supplied a deciding value. */
function balancedSupplier(question: GateQuestion, argument: Argument): Supplier {
  const { role, text, provenance } = argument;
  if (isUnfinished(argument)) return 'requested';
  const found = isChosenByRequest(question, argument) ? 'requested' : supplierOf(provenance.trust);
  // A README may name an ordinary command. That counts only if it tells the model to run it.
  if (role === 'command' && found !== 'instructed' && isOrdinaryCommand(text)) return 'trusted';
  return question.asked === 'asked' ? askedSupplier(question, argument, found) : found;
}

/** The values that decide what a call does, and those that an instruction in content names. Strictly, all. */
function decidingIn({ arguments: all }: GateQuestion, effect: Effect, { isStrict }: Policy): readonly Argument[] {
  const values = all.filter(({ isFree }) => !isFree);
  if (isStrict) return values;
  const deciding = values.filter(
    ({ role, provenance }) => isTelling(role) && (isDeciding(effect, role) || provenance.trust === 'flagged'),
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

/** The wording of a text is the model's own; the addresses in it may not be. */
function addressesIn(question: GateQuestion, { isStrict }: Policy): readonly Finding[] {
  const texts = question.arguments.filter(({ isFree, role }) => isFree || role === 'text');
  const isTrusted = ({ vouchedBy, trust }: Provenance): boolean =>
    isStrict ? vouchedBy !== undefined || vouches(question.context.integrity) : trust !== 'flagged';
  return destinationsIn(question, texts)
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

/** Where a value comes from, for a person to read. */
function phraseOf({ nameOf, labelOf }: GateQuestion, { supplier, source: { trust, pieces } }: Finding): string {
  const places = pieces.filter((piece) => piece.trust === trust).flatMap(({ occurrences }) => occurrences);
  const place = places.find((each) => each.trust === trust) ?? places[0];
  if (place === undefined && supplier === 'named') return 'a site that you named';
  if (supplier !== 'trusted' && place !== undefined && labelOf(place.recordId)?.integrity === 'user')
    return 'words that you only quoted, forbade or asked about';
  const name = (place && nameOf(place.recordId)) ?? 'content';
  if (trust === 'suspect') return `a part of ${name} that was not checked, or that may be an instruction to the model`;
  return PHRASES[supplier === 'requested' && trust === 'flagged' ? 'instructed' : supplier](name);
}

function reasonOf(question: GateQuestion, worst: Supplier, findings: readonly Finding[], isAllowed: boolean): string {
  const unasked = question.asked === 'not asked' && !isAllowed ? 'You did not ask for this. ' : '';
  const [first] = findings;
  if (first === undefined && unasked !== '') return unasked.trim();
  if (first === undefined)
    return isAllowed ? 'No value decides what this call does.' : 'No value says what this call is for.';
  const about = findings.map(({ argument }) => argument);
  const names = namesOf(about).replace(/^the /, 'The ').replace(/^an /, 'An ');
  const isOne = new Set(about).size === 1 && about[0]?.path !== '';
  if (worst !== 'trusted' && about.every(isUnfinished))
    return `${unasked}${names} could not be traced within the limit for one call.`;
  const verb = first.isAddress ? (isOne ? 'has an address' : 'have an address') : isOne ? 'comes' : 'come';
  return `${unasked}${names} ${verb} from ${phraseOf(question, first)}.`;
}

/** The effect, whether the user asked for it, and who supplied the worst of the values that decide what it does. */
function decidedBy(policy: Policy, changes: TableChanges): Rule {
  return (question) => {
    const { asked, tool, context } = question;
    const effect = effectOf(question, policy);
    if (effect === 'read') return undefined;
    const findings = findingsIn(question, effect, policy);
    // Without a value that decides anything, the call is the act alone: the user's if they asked for it.
    const isOwnAct = policy.isStrict ? !GRAVE.has(effect) || vouches(context.integrity) : asked === 'asked';
    const act: Supplier = findings.length > 0 || isOwnAct ? 'trusted' : 'model';
    const supplier = findings.map((each) => each.supplier).reduce(worse, act);
    const worst = findings.filter((each) => each.supplier === supplier);
    const cell = { effect, asked, supplier };
    const outcome = outcomeIn(policy.table, cell, tool?.table === undefined ? [changes] : [tool.table, changes]);
    return {
      outcome,
      reason: reasonOf(question, supplier, worst, outcome === 'allow'),
      about: [...new Set(worst.map(({ argument }) => argument))],
      cell,
    };
  };
}

/** One table, and what no table can say. */
export function balancedRules(changes: TableChanges): Rules {
  const decided = decidedBy({ table: BALANCED, isStrict: false }, changes);
  return Object.freeze({ reads, blind, undeclared, computed, disclosure, decided });
}

export function strictRules(changes: TableChanges): Rules {
  const decided = decidedBy({ table: STRICT, isStrict: true }, changes);
  return Object.freeze({ reads, blind, undeclared, decided });
}
