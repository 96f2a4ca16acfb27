import fc from 'fast-check';
import { OUTCOMES, type Outcome } from '../../src/call/call.ts';
import { EFFECTS, type Effect } from '../../src/call/effect.ts';
import { ROLES } from '../../src/call/role.ts';
import { SUPPLIERS, type TableChanges } from '../../src/call/table-changes.ts';
import type { Facts, JudgeAnswer, ValueFacts } from '../../src/facts/facts.ts';
import { decide, hasOthers, RULES_OF, type Verdict } from '../../src/gate/decide.ts';
import { changedIn } from '../../src/gate/table.ts';
import { holds, type Invariant, invariant, same } from './invariant.ts';

const YES: JudgeAnswer = { act: true, target: true, careful: false, reason: 'Yes.' };
const NOES: readonly JudgeAnswer[] = [
  { ...YES, act: false },
  { ...YES, target: false },
  { ...YES, careful: true },
];
const FAILED = { failed: 'TimeoutError' } as const;
const CHANGING = EFFECTS.filter((effect) => effect !== 'read');

const is = (given: number, bit: number): boolean => (given & (1 << bit)) !== 0;
const pick = <T>(from: readonly T[], choice: number): T => from[choice % from.length] as T;

/** What is known about a value, from random bits: drawing each member by itself takes ten times as long. */
function valueFrom(given: number, index: number): ValueFacts {
  const supplier = pick(SUPPLIERS, given >> 2);
  return {
    ...{ path: `/v${index}`, value: 'eve', role: pick(ROLES, given >> 4), supplier, from: 'from read_mail' },
    isVouched: supplier === 'trusted',
    ...(is(given, 0) && { isRequested: true }),
    ...((given >> 8) % 16 === 0 && { isUnchecked: true }),
    ...((given >> 12) % 4 === 0 && { isFree: true }),
    ...((given >> 14) % 8 === 0 && { isKey: true }),
  };
}

function changesOf(given: number): TableChanges {
  const cells: Record<string, Outcome> = {};
  for (const [index, supplier] of SUPPLIERS.entries()) {
    const outcome = OUTCOMES[(given >> (2 * index)) % 4];
    if (outcome !== undefined) cells[supplier] = outcome;
  }
  return Object.fromEntries(CHANGING.map((effect) => [effect, cells]));
}

const bits = fc.nat(2 ** 24 - 1);

interface Drawn {
  readonly call: number;
  readonly values: readonly number[];
  readonly addresses: readonly number[];
  readonly own: number;
  readonly changes: number;
}

const drawn: fc.Arbitrary<Drawn> = fc.record({
  call: bits,
  values: fc.array(bits, { maxLength: 4 }),
  addresses: fc.array(bits, { maxLength: 2 }),
  own: bits,
  changes: bits,
});

/** Facts as no conversation need have them: what holds for all of them holds for those of every conversation. */
function factsOf({ call, values, addresses, own }: Drawn, effect: Effect): Facts {
  const degree = [undefined, undefined, 'private', 'secret', undefined, undefined, 'unchecked', undefined] as const;
  const found = degree[call & 7];
  return {
    ...{ tool: 'act', isDeclared: (call >> 3) % 16 !== 0, effect, hasRendered: (call >> 7) % 16 !== 0 },
    ...{ hasReadOthers: is(call, 11), isAlarmed: is(call, 12), isOversized: (call >> 13) % 32 === 0 },
    context: { integrity: 'external', confidentiality: 'private' },
    values: values.map(valueFrom),
    addresses: addresses.map((each, index) => ({ ...valueFrom(each, index), role: 'url', isInText: true })),
    ...(found !== undefined && { disclosure: { degree: found, paths: ['/v0'] } }),
    ...((call >> 18) % 16 === 0 && { computed: ['/v0'] }),
    secrets: (call >> 22) % 4 === 0 && (call >> 18) % 4 === 0 ? [{ path: '/v0', kind: 'API key' }] : [],
    ...(is(own, 0) && { table: changesOf(own >> 1) }),
  };
}

const strictness = ({ outcome }: Verdict): number => OUTCOMES.indexOf(outcome);
const fail = (rule: string): void => holds(false, `${rule} failed`);
const ANSWERS: readonly Partial<Facts>[] = [{}, { judge: YES }, { judge: FAILED }];

/** What a property is told in addition to the facts: changes of the table, the rules of `balanced` with them, and bits for choices. */
interface Setting {
  readonly changes: TableChanges;
  readonly balanced: (facts: Facts) => Verdict;
  readonly choice: number;
}

/** Most of the cases: one takes a tenth of the time of those that trace values. */
const WEIGHT = 60;

/** A property of one set of facts, in each effect. */
function pure(id: string, check: (facts: Facts, setting: Setting) => void): Invariant {
  const property = fc.property(drawn, (each) => {
    const changes = changesOf(each.changes);
    const rules = RULES_OF.balanced(changes);
    const setting = { changes, balanced: (facts: Facts) => decide(facts, rules, fail), choice: each.own >> 16 };
    for (const effect of EFFECTS) check(factsOf(each, effect), setting);
  });
  return invariant(id, 6, WEIGHT, property, EFFECTS.length);
}

export const decideInvariants: readonly Invariant[] = [
  pure('facts-decide-alone', (facts, { changes, choice }) => {
    const judged = { ...facts, ...pick(ANSWERS, choice) };
    const rules = RULES_OF[pick(['balanced', 'strict'] as const, choice >> 2)](changes);
    const stored: Facts = JSON.parse(JSON.stringify(judged));
    const [one, other] = [judged, stored].map((each) => JSON.stringify(decide(each, rules, fail)));
    same(other, one, 'the decision by stored facts');
  }),
  pure('judge-no-never-laxer', (facts, { balanced, choice }) => {
    const [yes, no] = [YES, pick(NOES, choice)].map((judge) => balanced({ ...facts, judge }));
    holds(strictness(no as Verdict) >= strictness(yes as Verdict), 'a no leads to a laxer outcome than a yes');
  }),
  pure('judge-failure-never-allows', (facts, { balanced }) => {
    if (facts.effect === 'read' || !hasOthers(facts)) return;
    const { outcome, rule } = balanced({ ...facts, judge: FAILED });
    holds(outcome !== 'allow', `${rule} allows although the judge failed`);
  }),
  pure('changed-cells-hold', (facts, { changes, balanced, choice }) => {
    if (facts.effect === 'read') return;
    const given = { ...facts, ...pick(ANSWERS, choice) };
    const { cell, ...verdict } = balanced(given);
    const changed = cell && changedIn(cell, [facts.table, changes]);
    if (changed !== undefined && changed !== 'allow')
      holds(strictness(verdict) >= OUTCOMES.indexOf(changed), `${verdict.rule} is laxer than a changed cell`);
    const outcome = pick(['ask', 'deny'] as const, choice >> 2);
    const table = { [facts.effect]: Object.fromEntries(SUPPLIERS.map((supplier) => [supplier, outcome])) };
    const least = strictness(balanced({ ...given, table }));
    holds(least >= OUTCOMES.indexOf(outcome), 'a call is laxer than every cell of its tool');
  }),
  pure('instructed-never-allowed', (facts, { balanced, choice }) => {
    const isInstructed = facts.values.some(({ supplier, isFree }) => supplier === 'instructed' && !isFree);
    if (facts.effect === 'read' || !isInstructed) return;
    const { outcome, rule } = balanced({ ...facts, ...pick(ANSWERS, choice) });
    holds(outcome !== 'allow', `${rule} allows what an instruction supplied`);
  }),
  pure('own-rules-only-stricter', (facts, { changes, choice }) => {
    const of = RULES_OF[pick(['balanced', 'strict'] as const, choice)](changes);
    const own = { mine: () => ({ outcome: pick(OUTCOMES, choice >> 2), reason: 'Mine.' }) };
    const [before, after] = [of, { ...own, ...of }].map((rules) => decide(facts, rules, fail));
    holds(
      before?.rule === 'no-rule' || strictness(after as Verdict) >= strictness(before as Verdict),
      'an own rule made the gate laxer',
    );
  }),
];
