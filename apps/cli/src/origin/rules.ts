import type { Effect, Facts, Rule, RuleResult, Rules, ValueFacts } from '@sallyport/core';
import { readShell } from '@sallyport/shell';
import { actsLater } from '../guarded/lasting-path.ts';
import { ACTS_LATER, isPlace, LASTING } from '../guarded/rules.ts';
import { destroys } from './deeds.ts';
import { type Doubt, doubtsAbout, type Proposed } from './doubts.ts';
import type { Origins } from './origins.ts';
import { decidingIn } from './proposed.ts';

/** The call that is being checked, and what is known in its session. */
export interface Checked {
  readonly proposed: Proposed;
  readonly origins: Origins;
  /** The preset is `balanced`: the call is checked by where its words come from. */
  readonly isByOrigin: boolean;
  /** The user refused an earlier call of the same turn. */
  readonly isAfterRefusal: boolean;
  /** Recognizes a file outside of the user's project. */
  isElsewhere(path: string): boolean;
  /** The passage of others that a question is about, for a person to read. */
  quote: string;
}

type Held = Exclude<Effect, 'read'>;

/** The arguments that hold what a doubt is about. */
function argumentsOf({ values }: Facts, { text }: Proposed): readonly ValueFacts[] {
  const holding = values.filter(({ value }) => value !== '' && text.includes(value));
  return holding.length > 0 ? holding : values.slice(0, 1);
}

function ask(facts: Facts, { proposed }: Checked, name: string, reason: string): RuleResult {
  const about = argumentsOf(facts, proposed);
  const cell = { effect: facts.effect as Held, supplier: 'content' as const };
  return { outcome: 'ask', reason, about: about.map(({ path }) => path), cell, name, decidedBy: 'rule' };
}

/** What a judge's answer means for a call in doubt. A judge that fails lets nothing pass. */
function byJudge(facts: Facts, checked: Checked, doubt: Doubt): RuleResult | undefined {
  const { judge } = facts;
  // A rule of the user answers only for what nobody else chose.
  const name = doubt.quote === undefined ? 'deed' : 'origin';
  if (judge === undefined) return doubt.isStrong ? ask(facts, checked, name, doubt.reason) : undefined;
  if ('failed' in judge)
    return ask(facts, checked, 'judge-failed', `The judge did not answer (${judge.failed}). ${doubt.reason}`);
  const { act, target, careful } = judge;
  if (act && target && !careful) return undefined;
  return { ...ask(facts, checked, name, `${doubt.reason} The judge: ${judge.reason}`), decidedBy: 'judge' };
}

const REFUSED =
  'You refused an earlier call, and the agent goes on. Allow this only if it has nothing to do with that.';
const ASKED_FOR = 'A text that was read asks for this.';
const DESTROYS = 'A text that was read asks for this, and it cannot be taken back.';

/** A request in a text of others, word for word. */
function* requestIn({ values }: Facts, { text, kind }: Proposed): Generator<Doubt> {
  const requested = values.filter((each) => !each.isVouched && (each.isRequested || each.supplier === 'instructed'));
  if (requested.length === 0) return;
  const isStrong =
    kind === 'command' &&
    requested.some(({ role }) => role === 'command' || role === 'path') &&
    destroys(readShell(text));
  yield { isStrong, reason: isStrong ? DESTROYS : ASKED_FOR };
}

/** The doubt that counts about a call. */
function doubtAbout(facts: Facts, { proposed, origins }: Checked): Doubt | undefined {
  const call = proposed.kind === 'other' ? { ...proposed, ...decidingIn(facts) } : proposed;
  const requests = origins.hasOthers ? [...requestIn(facts, call)] : [];
  const doubts = [...doubtsAbout(call, origins, facts.isAlarmed), ...requests];
  return doubts.find(({ isStrong }) => isStrong) ?? doubts[0];
}

/** Asks about what may be somebody else's wish: a name that only others brought, or an act that is in doubt whoever chose it. */
function askAboutDoubts(checked: () => Checked): Rule {
  return (facts) => {
    const { effect, secrets } = facts;
    const now = checked();
    // A person who is asked about a secret should read that.
    if (effect === 'read' || secrets.length > 0) return undefined;
    if (now.isAfterRefusal) return ask(facts, now, 'refused', REFUSED);
    const doubt = effect === 'fetch' ? undefined : doubtAbout(facts, now);
    if (doubt === undefined) return undefined;
    now.quote = doubt.quote ?? '';
    return byJudge(facts, now, doubt);
  };
}

/** The files that a call writes, without those that the user named. */
function filesIn({ effect, values }: Facts): readonly string[] {
  if (effect !== 'write' && effect !== 'fetch') return [];
  return values.filter((each) => isPlace(each) && !each.isVouched).map(({ value }) => value);
}

/** Outside of the project always; in it, if something that others brought is in what is written. */
function askAboutLasting(checked: () => Checked): Rule {
  return (facts) => {
    const { proposed, origins, isElsewhere } = checked();
    const lasting = filesIn(facts).filter(actsLater);
    const isForeign = origins.foreignIn(proposed.text).next().done !== true;
    if (!lasting.some((path) => isForeign || isElsewhere(path))) return undefined;
    const question = ask(facts, checked(), ACTS_LATER, LASTING);
    return byJudge(facts, checked(), { isStrong: true, reason: LASTING }) && question;
  };
}

/** A value that only an instruction to the agent supplied. No judge lets it pass. */
function denyInstructed(checked: () => Checked): Rule {
  return ({ effect, values }) => {
    if (effect === 'read' || !checked().isByOrigin) return undefined;
    const isDeciding = ({ role }: ValueFacts): boolean => role !== 'text' && role !== 'choice';
    const [found] = values.filter((each) => each.supplier === 'instructed' && isDeciding(each));
    if (found === undefined) return undefined;
    const { path, from, supplier } = found;
    const reason = `${JSON.stringify(path.slice(1))} is ${from}.`;
    return { outcome: 'deny', reason, about: [path], cell: { effect, supplier }, decidedBy: 'provenance' };
  };
}

function allowWork(checked: () => Checked): Rule {
  return ({ isOversized }) =>
    isOversized || !checked().isByOrigin
      ? undefined
      : { outcome: 'allow', reason: 'Nobody else chose what this does, as far as is known.' };
}

/**
 * The rules of hooks in addition to those of their preset. A host asks its user what a command may do; these ask
 * another question: did somebody else put this here?
 */
export function hookRules(checked: () => Checked): Rules {
  return {
    [ACTS_LATER]: askAboutLasting(checked),
    instruction: denyInstructed(checked),
    origin: askAboutDoubts(checked),
    work: allowWork(checked),
  };
}
