import type { Effect } from '../call/effect.ts';
import { actsLater } from '../call/lasting-path.ts';
import { isDeciding, isTelling } from '../call/role.ts';
import type { Supplier, TableChanges } from '../call/table-changes.ts';
import { vouches } from '../label/label.ts';
import type { Occurrence } from '../provenance/occurrence.ts';
import { isUnfinished, type Provenance } from '../provenance/trace.ts';
import type { Argument } from '../provenance/trace-call.ts';
import { askedOf, isOrdinaryIn } from './command/asked.ts';
import { commandReason } from './command/reason.ts';
import type { GateQuestion, Rule, Rules } from './decision.ts';
import { destinationsIn } from './destination.ts';
import { disclosure } from './disclosure.ts';
import { blind, computed, namesOf, OVER_BUDGET, overBudget, oversized, reads, undeclared } from './rules.ts';
import { setsOther } from './setting.ts';
import { balancedSupplier, GRAVE, strictSupplier } from './supplier.ts';
import { BALANCED, outcomeIn, STRICT, type Table, worse } from './table.ts';

/** A table, and whether anything but a trusted source's own words makes a value trusted. */
interface Policy {
  readonly table: Table;
  /** Whether only what trusted sources wrote counts, so that untrusted content cannot change what is allowed. */
  readonly isStrict: boolean;
}

// A file can be named by a URL too; a page cannot begin like this.
const FILE = /^\s*(?:file:|[~.\\/]|[a-z]:[\\/])/i;

function isPlace({ role, text }: Argument): boolean {
  return role === 'path' || (role === 'url' && FILE.test(text));
}

/** A shell that does ordinary work on a project only writes; to write a file that acts later is to configure. */
export function judgedEffect(question: GateQuestion, isStrict: boolean): Effect {
  const { effect, arguments: all } = question;
  const isLasting = all.some((each) => isPlace(each) && actsLater(each.text));
  if (isLasting && (effect === 'write' || effect === 'fetch')) return 'configure';
  if (isStrict || effect !== 'execute') return effect;
  const commands = all.filter(({ role }) => role === 'command');
  const isOrdinary = commands.length > 0 && commands.every(({ text }) => isOrdinaryIn(question, text));
  return isOrdinary ? 'write' : effect;
}

/** Whether others asked for a value, or told the model to use it. */
function isRequestedByOthers(question: GateQuestion, argument: Argument): boolean {
  return ['requested', 'instructed'].includes(balancedSupplier(question, argument));
}

/** The values that decide what a call does, and those that an instruction in content names. Strictly, all. */
function decidingIn(question: GateQuestion, { isStrict }: Policy): readonly Argument[] {
  const { effect } = question;
  const values = question.arguments.filter(({ isFree }) => !isFree);
  if (isStrict) return values;
  const deciding = values.filter(
    ({ role, provenance }) =>
      isTelling(role) && (isDeciding(effect, role) || provenance.trust === 'flagged' || isUnfinished(provenance)),
  );
  // A new value of a setting: a limit. The model may word or compute one, but others must not ask for it.
  if (effect === 'configure') {
    const settings = values.filter(({ role }) => role === 'amount' || role === 'text');
    return [...deciding, ...settings.filter((each) => isRequestedByOthers(question, each))];
  }
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
    const { vouchedBy, trust, pieces } = chosen;
    if (isStrict) return vouchedBy !== undefined || vouches(question.context.integrity);
    if (trust === 'flagged' || isUnfinished(chosen)) return false;
    // Other content may have the address too: an instruction names it all the same.
    const isInstructed = pieces.some(({ occurrences }) => occurrences.some((each) => each.trust === 'flagged'));
    return !isInstructed || trust === 'vouched' || trust === 'pointed';
  };
  return destinationsIn(question, textsOf(question), isStrict)
    .filter(({ chosen }) => !isTrusted(chosen))
    .map(({ argument, chosen }) => ({ argument, supplier: 'requested', source: chosen, isAddress: true }));
}

function findingsIn(question: GateQuestion, policy: Policy): readonly Finding[] {
  const supplierIn = policy.isStrict ? strictSupplier : balancedSupplier;
  // Where the user is not heard, a tool that edits a file copies what it replaces.
  const isEdit = question.asked === 'unheard' && question.effect === 'write';
  const dictated = policy.isStrict || isEdit ? [] : question.arguments.filter(isDictated);
  const finding = (argument: Argument, supplier: Supplier): Finding => ({
    argument,
    supplier,
    source: argument.provenance,
  });
  return [
    ...decidingIn(question, policy).map((each) => finding(each, supplierIn(question, each))),
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

/** Where a value was found, for a person to read. */
function phraseOfPlace({ nameOf, labelOf }: GateQuestion, { supplier, source: { trust, pieces } }: Finding): string {
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

/** Where a value comes from, for a person to read. */
function phraseOf(question: GateQuestion, finding: Finding): string {
  if (finding.supplier !== 'trusted' || finding.source.trust !== 'own') return phraseOfPlace(question, finding);
  return vouches(question.context.integrity)
    ? 'the model, which has read nothing from others'
    : 'the model, to which you left it';
}

function reasonOfAct(question: GateQuestion, isAllowed: boolean): string {
  if (isAllowed) return 'No value decides what this call does.';
  return question.isAnyRequested && setsOther(question)
    ? 'You did not name this setting, and content that others wrote asks for something.'
    : 'No value says what this call is for.';
}

function reasonOf(question: GateQuestion, findings: readonly Finding[], isAllowed: boolean): string {
  const unasked = question.asked === 'not asked' && !isAllowed ? 'You did not ask for this. ' : '';
  const [first] = findings;
  if (first === undefined) return unasked === '' ? reasonOfAct(question, isAllowed) : unasked.trim();
  const command = isAllowed ? undefined : commandReason(question, first, phraseOf(question, first));
  if (command !== undefined) return command;
  const about = findings.map(({ argument }) => argument);
  const names = namesOf(about).replace(/^the /, 'The ').replace(/^an /, 'An ');
  const isOne = new Set(about.map(({ path }) => path)).size === 1 && about[0]?.path !== '';
  const verb = first.isAddress ? (isOne ? 'has an address' : 'have an address') : isOne ? 'comes' : 'come';
  return `${unasked}${names} ${verb} from ${phraseOf(question, first)}.`;
}

/** Without a value that decides anything, the call is the act alone. */
function strictAct({ effect, context }: GateQuestion, findings: readonly Finding[]): Supplier {
  return findings.length > 0 || !GRAVE.has(effect) || vouches(context.integrity) ? 'trusted' : 'model';
}

/** The user's if they asked for it. A setting that they neither named nor gave a value may be what others ask for. */
function balancedAct(question: GateQuestion, findings: readonly Finding[]): Supplier {
  if (question.isAnyRequested && setsOther(question)) return 'requested';
  return findings.length > 0 || question.asked === 'asked' ? 'trusted' : 'model';
}

/** The effect, whether the user asked for it, and who supplied the worst of the values that decide what it does. */
function decidedBy(policy: Policy, changes: TableChanges): Rule {
  return (given) => {
    const { tool } = given;
    const effect = judgedEffect(given, policy.isStrict);
    if (effect === 'read') return undefined;
    const asked = policy.isStrict ? given.asked : askedOf(given, effect);
    const question = { ...given, effect, asked };
    const findings = findingsIn(question, policy);
    const act = policy.isStrict ? strictAct(question, findings) : balancedAct(question, findings);
    const supplier = findings.map((each) => each.supplier).reduce(worse, act);
    const worst = findings.filter((each) => each.supplier === supplier);
    const cell = { effect, asked, supplier };
    const outcome = outcomeIn(policy.table, cell, tool?.table === undefined ? [changes] : [tool.table, changes]);
    const about = [...new Set(worst.map(({ argument }) => argument))];
    if (
      supplier === 'requested' &&
      outcome !== 'allow' &&
      worst.length > 0 &&
      worst.every(({ source }) => isUnfinished(source))
    )
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
