import { checkOptionNames, describeValue, refuse } from '../base/errors.ts';
import type { ProposedCall } from '../call/call.ts';
import { checkChanges, type TableChanges } from '../call/table-changes.ts';
import { type Excerpt, readable } from '../facts/excerpt.ts';
import type { Facts } from '../facts/facts.ts';
import type { FindSecrets } from '../facts/inspection.ts';
import type { Place } from '../provenance/occurrence.ts';
import type { Argument } from '../provenance/trace-call.ts';
import { decide, type OnFailed, OVER_BUDGET, RULES_OF } from './decide.ts';
import { Decision, type Evidence, MAX_EVIDENCE } from './decision.ts';
import type { Rules } from './rule.ts';
import { scopesOf } from './scope.ts';
import { resultOf } from './settled.ts';

/**
 * The policies that a gate can start from. `balanced` has two keys: provenance says which calls are in doubt, and the judge whether they
 * fit what the user said; a table decides where there is no judge. `strict` is provenance alone: a person is asked about every effect
 * with a value that no trusted source wrote. `none` has only your own rules.
 *
 * @example
 * ```ts
 * const isPreset = PRESETS.some((preset) => preset === process.env.GATE_PRESET);
 * ```
 */
export const PRESETS = ['balanced', 'strict', 'none'] as const;

/**
 * The name of a set of rules; see `PRESETS`.
 *
 * @example
 * ```ts
 * const preset: Preset = movesMoney ? 'strict' : 'balanced';
 * ```
 */
export type Preset = (typeof PRESETS)[number];

/**
 * How tool calls are checked.
 *
 * @example
 * ```ts
 * const gate: GateOptions = { preset: 'strict' };
 * const boundary = createBoundary({ gate });
 * ```
 */
export interface GateOptions {
  /** The policy to start from. @default 'balanced' */
  readonly preset?: Preset;
  /** Allows every call, and only reports what would have been decided. @default false */
  readonly observe?: boolean;
  /**
   * Cells of the table to change, for all tools. `ask` and `deny` hold whatever a judge says. A tool's own `table` goes before them.
   * @default none
   */
  readonly table?: TableChanges;
  /**
   * Values that you vouch for, such as addresses, hosts, accounts and paths. A prompt vouches for nothing: it also says what not
   * to do. @default none
   */
  readonly vouch?: readonly string[];
  /** Finds secrets in the arguments of a call. A person is asked about one that the user did not type. @default none */
  readonly findSecrets?: FindSecrets;
  /** Your own rules, in addition to those of the preset. They can only make the gate stricter. @default none */
  readonly rules?: Rules;
  /**
   * A value that the model used first stays the model's own when untrusted content repeats it later. Use it for a boundary that does
   * not see the user's messages, only the model's calls. The value still counts as unconfirmed: no trusted source vouches for it.
   * @default false
   */
  readonly keepsFirstUse?: boolean;
}

export interface Gate {
  readonly preset: Preset;
  readonly isObserving: boolean;
  /** The rules of the preset, and the application's own before them. */
  readonly rules: Rules;
  readonly own: Rules;
  readonly keepsFirstUse: boolean;
  readonly vouch: readonly string[];
  readonly findSecrets: FindSecrets | undefined;
}

const OPTIONS = ['preset', 'observe', 'table', 'vouch', 'findSecrets', 'rules', 'keepsFirstUse'] as const;

/** Checks the options once, so that a wrong option fails at startup and not at the first call. */
export function createGate(options: GateOptions = {}): Gate {
  const wrong = (name: string, must: string, received: unknown): never =>
    refuse(`\`${name}\` must be ${must}; received ${describeValue(received)}.`);
  if (typeof options !== 'object' || options === null) wrong('gate', "an object such as { preset: 'strict' }", options);
  checkOptionNames(options, OPTIONS, 'gate');
  const { preset = 'balanced', observe = false, table = {}, vouch = [], rules = {}, findSecrets } = options;
  if (!PRESETS.includes(preset)) wrong('gate.preset', `one of ${PRESETS.join(', ')}`, preset);
  if (typeof observe !== 'boolean') wrong('gate.observe', 'true or false', observe);
  if (!Array.isArray(vouch) || !vouch.every((value) => typeof value === 'string' && value.trim() !== ''))
    wrong('gate.vouch', "an array of texts, such as ['billing@example.com']", vouch);
  if (findSecrets !== undefined && typeof findSecrets !== 'function')
    wrong('gate.findSecrets', 'a function of a text', findSecrets);
  const presetRules = RULES_OF[preset](checkChanges(table, 'gate.table'));
  for (const [name, rule] of Object.entries(rules)) {
    if (typeof rule !== 'function') wrong(`gate.rules.${name}`, 'a function', rule);
    if (Object.hasOwn(presetRules, name))
      refuse(`\`gate.rules.${name}\` must have another name: the preset ${preset} has a rule called ${name}.`);
  }
  return Object.freeze({
    preset,
    isObserving: observe,
    // Own rules first: of several that agree, a person reads the reason of the first, and an own rule says more.
    rules: Object.freeze({ ...rules, ...presetRules }),
    own: Object.freeze({ ...rules }),
    keepsFirstUse: options.keepsFirstUse === true,
    vouch: Object.freeze([...vouch]),
    findSecrets,
  });
}

/** The same gate under another policy. The application's own rules stay, and the values that it vouches for. */
export function gateUnder(gate: Gate, policy: Pick<GateOptions, 'preset' | 'observe' | 'table'>): Gate {
  const { own: rules, vouch, keepsFirstUse, findSecrets } = gate;
  checkOptionNames(policy, ['preset', 'observe', 'table'], 'gate of check()');
  return createGate({ ...policy, rules, vouch, keepsFirstUse, ...(findSecrets && { findSecrets }) });
}

/** An occurrence of the worst trust class, with its source and the text around it. */
function evidenceOf({ path, text, provenance }: Argument, { sourceOf, excerptOf }: GateHost): Evidence {
  const { trust, pieces } = provenance;
  const piece = pieces.find((each) => each.trust === trust) ?? pieces[0];
  const occurrence = piece?.occurrences.find((each) => each.trust === trust) ?? piece?.occurrences[0];
  if (occurrence === undefined) return { path, value: text, trust };
  const { recordId, part, start, end } = occurrence;
  const source = readable(sourceOf(recordId) ?? '');
  const excerpt = excerptOf(occurrence);
  const place = { recordId, part, start, end };
  return { path, value: text, trust, place, ...(source && { source }), ...(excerpt && { excerpt }) };
}

/** What a decision needs from the conversation in addition to its facts. */
export interface GateHost {
  /** The name of the source of a record. */
  readonly sourceOf: (recordId: string) => string | undefined;
  /** The text around a place in a record, for a person to read; undefined if the record is not known. */
  readonly excerptOf: (place: Place) => Excerpt | undefined;
  /** The conversation has an owner, for whom an approval can apply always. */
  readonly hasOwner: boolean;
  readonly onFailed: OnFailed;
}

/** The call that a decision is about, with every value and its provenance. */
export interface Subject {
  readonly call: ProposedCall;
  readonly arguments: readonly Argument[];
}

/** Decides about a call by its facts. `judged` keeps the result even when the gate only observes. */
export function decideCall(gate: Gate, facts: Facts, { call, arguments: all }: Subject, host: GateHost): Decision {
  const verdict = decide(facts, gate.rules, host.onFailed);
  const { rule, rules, outcome: judged, reason, decidedBy, about = [] } = verdict;
  const outcome = gate.isObserving ? 'allow' : judged;
  const cell = verdict.cell && `${verdict.cell.effect}, ${verdict.cell.supplier}`;
  const evidence = [...new Set(about)]
    .flatMap((path) => all.find((each) => each.path === path) ?? [])
    .slice(0, MAX_EVIDENCE)
    .map((argument): Evidence => {
      // What was found before the search ended says nothing about the rest.
      if (rule !== OVER_BUDGET) return evidenceOf(argument, host);
      return { path: argument.path, value: argument.text, trust: argument.provenance.trust, isOverBudget: true };
    });
  const judgement = { outcome, rules, cell, arguments: all };
  return new Decision({
    ...judgement,
    ...{ call, effect: facts.effect, facts, judged, rule, decidedBy, reason, evidence },
    scopes: scopesOf(judgement, host.hasOwner),
    result: resultOf(outcome, rule),
  });
}
