import { checkOptionNames, describeValue, SallyportError } from '../base/errors.ts';
import { isOutcome, OUTCOMES } from '../call/call.ts';
import { checkChanges, type TableChanges } from '../call/table-changes.ts';
import type { Place } from '../provenance/occurrence.ts';
import type { Argument } from '../provenance/trace-call.ts';
import {
  Decision,
  type Evidence,
  type GateQuestion,
  MAX_EVIDENCE,
  type Rule,
  type RuleResult,
  type Rules,
} from './decision.ts';
import { type Excerpt, readable } from './excerpt.ts';
import { balancedRules, judgedEffect, strictRules } from './policy.ts';
import { OVER_BUDGET } from './rules.ts';
import { scopesOf } from './scope.ts';
import { resultOf } from './settled.ts';
import type { Cell } from './table.ts';

/**
 * The policies that a gate can start from. `balanced` asks about what the user did not ask for, and about money, deletion, code,
 * settings and disclosure with a value that only other people supplied. `strict` does not rely on the classifier: it holds every
 * effect with a deciding value that no trusted source wrote. `none` has only your own rules.
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
  /** Cells of the policy's table to change, for all tools. A tool's own `table` goes before them. @default none */
  readonly table?: TableChanges;
  /**
   * Values that you vouch for, such as addresses, hosts, accounts and paths. A prompt vouches for nothing: it also says what not
   * to do. @default none
   */
  readonly vouch?: readonly string[];
  /** Your own rules, in addition to those of the preset. They can only make the gate stricter. @default none */
  readonly rules?: Rules;
  /**
   * Whether a value that the model used first stays the model's own when untrusted content repeats it later. Use it for a
   * boundary that does not see the user's messages, only the model's calls. The value still counts as unconfirmed: no trusted
   * source vouches for it. @default false
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
}

const RULES_OF: Readonly<Record<Preset, (changes: TableChanges) => Rules>> = {
  balanced: balancedRules,
  strict: strictRules,
  none: () => ({}),
};

/** Checks the options once, so that a wrong option fails at startup and not at the first call. */
export function createGate(options: GateOptions = {}): Gate {
  if (typeof options !== 'object' || options === null)
    throw new SallyportError(
      'ERR_INVALID_OPTION',
      `\`gate\` must be an object such as { preset: 'strict' }; received ${describeValue(options)}.`,
    );
  checkOptionNames(options, ['preset', 'observe', 'table', 'vouch', 'rules', 'keepsFirstUse'], 'gate');
  const { preset = 'balanced', observe = false, table = {}, vouch = [], rules = {}, keepsFirstUse = false } = options;
  if (!PRESETS.includes(preset))
    throw new SallyportError(
      'ERR_INVALID_OPTION',
      `\`gate.preset\` must be one of ${PRESETS.join(', ')}; received ${describeValue(preset)}.`,
    );
  if (typeof observe !== 'boolean')
    throw new SallyportError(
      'ERR_INVALID_OPTION',
      `\`gate.observe\` must be true or false; received ${describeValue(observe)}.`,
    );
  if (!Array.isArray(vouch) || !vouch.every((value) => typeof value === 'string' && value.trim() !== ''))
    throw new SallyportError(
      'ERR_INVALID_OPTION',
      `\`gate.vouch\` must be an array of texts, such as ['billing@example.com']; received ${describeValue(vouch)}.`,
    );
  const presetRules = RULES_OF[preset](checkChanges(table, 'gate.table'));
  const own = Object.entries(rules);
  const invalid = own.find(([, rule]) => typeof rule !== 'function');
  if (invalid !== undefined)
    throw new SallyportError(
      'ERR_INVALID_OPTION',
      `\`gate.rules.${invalid[0]}\` must be a function; received ${describeValue(invalid[1])}.`,
    );
  const duplicate = own.find(([each]) => Object.hasOwn(presetRules, each))?.[0];
  if (duplicate !== undefined)
    throw new SallyportError(
      'ERR_INVALID_OPTION',
      `\`gate.rules.${duplicate}\` must have another name: the preset ${preset} has a rule called ${duplicate}.`,
    );
  return Object.freeze({
    preset,
    isObserving: observe,
    // Own rules first: of several that agree, a person reads the reason of the first, and an own rule says more.
    rules: Object.freeze({ ...rules, ...presetRules }),
    own: Object.freeze({ ...rules }),
    keepsFirstUse: keepsFirstUse === true,
    vouch: Object.freeze([...vouch]),
  });
}

/** The same gate under another policy. The application's own rules stay, and the values that it vouches for. */
export function gateUnder(gate: Gate, policy: Pick<GateOptions, 'preset' | 'observe' | 'table'>): Gate {
  const { own: rules, vouch, keepsFirstUse } = gate;
  checkOptionNames(policy, ['preset', 'observe', 'table'], 'gate of check()');
  return createGate({ ...policy, rules, vouch, keepsFirstUse });
}

interface Held extends RuleResult {
  readonly rule: string;
  readonly rules: readonly string[];
}

const FAILED: RuleResult = {
  outcome: 'deny',
  reason:
    'A gate rule failed: it threw an error or returned an invalid result. A rule must return { outcome, reason } or undefined, synchronously. Fix the rule; until then its calls are denied.',
};
const NO_RULE: Held = {
  rule: 'no-rule',
  rules: ['no-rule'],
  outcome: 'deny',
  reason: 'No gate rule allows this call, so it is denied.',
};

type OnFailed = (rule: string, cause?: unknown) => void;

function resultOfRule(name: string, rule: Rule, question: GateQuestion, onFailed: OnFailed): RuleResult | undefined {
  try {
    const result = rule(question);
    if (result === undefined) return undefined;
    const { outcome, reason } = result;
    if (isOutcome(outcome) && typeof reason === 'string') return result;
    onFailed(name);
  } catch (cause) {
    onFailed(name, cause);
  }
  return FAILED;
}

function strictestOf(rules: Rules, question: GateQuestion, onFailed: OnFailed): Held {
  let strictest: Held | undefined;
  for (const [name, rule] of Object.entries(rules)) {
    const result = resultOfRule(name, rule, question, onFailed);
    if (result === undefined) continue;
    const isStricter = OUTCOMES.indexOf(result.outcome) > OUTCOMES.indexOf(strictest?.outcome ?? 'allow');
    const named = result.name ?? result.cell?.supplier ?? name;
    if (strictest === undefined || isStricter) strictest = { ...result, rule: named, rules: [named] };
    else if (result.outcome === strictest.outcome) strictest = { ...strictest, rules: [...strictest.rules, named] };
  }
  return strictest ?? NO_RULE;
}

/** `send, asked, content`. */
function nameOfCell(cell: Cell | undefined): string | undefined {
  return cell && `${cell.effect}, ${cell.asked}, ${cell.supplier}`;
}

/** An occurrence of the worst trust class, with its source and the text around it. */
function evidenceOf(
  { path, text, provenance }: Argument,
  nameOf: GateQuestion['nameOf'],
  excerptOf: ExcerptOf,
): Evidence {
  const { trust, pieces } = provenance;
  const piece = pieces.find((each) => each.trust === trust) ?? pieces[0];
  const occurrence = piece?.occurrences.find((each) => each.trust === trust) ?? piece?.occurrences[0];
  if (occurrence === undefined) return { path, value: text, trust };
  const { recordId, part, start, end } = occurrence;
  const source = readable(nameOf(recordId) ?? '');
  const excerpt = excerptOf(occurrence);
  const place = { recordId, part, start, end };
  return { path, value: text, trust, place, ...(source && { source }), ...(excerpt && { excerpt }) };
}

type ExcerptOf = (place: Place) => Excerpt | undefined;

/** What the gate needs from the conversation in addition to its rules. */
export interface GateHost {
  /** The text around a place in a record, for a person to read; undefined if the record is not known. */
  readonly excerptOf: ExcerptOf;
  /** Whether the conversation has an owner, for whom an approval can apply always. */
  readonly hasOwner: boolean;
  /** Called when a rule threw or returned an invalid result. */
  readonly onFailed: OnFailed;
}

/** Checks a call against all rules. `judged` keeps their result even when the gate only observes. */
export function judgeCall(gate: Gate, question: GateQuestion, host: GateHost): Decision {
  const { excerptOf, hasOwner, onFailed } = host;
  const { rule, rules, outcome: judged, reason, cell, about = [] } = strictestOf(gate.rules, question, onFailed);
  const outcome = gate.isObserving ? 'allow' : judged;
  const evidence = about.slice(0, MAX_EVIDENCE).map((argument) => {
    const { path, text: value, provenance } = argument;
    // What was found before the search ended says nothing about the rest.
    if (rule === OVER_BUDGET) return { path, value, trust: provenance.trust, isOverBudget: true as const };
    return evidenceOf(argument, question.nameOf, excerptOf);
  });
  const judgement = { outcome, rules, cell: nameOfCell(cell), arguments: question.arguments };
  return new Decision({
    ...judgement,
    call: question.call,
    // Without a table, no command counts as ordinary.
    effect: judgedEffect(question, gate.preset !== 'balanced'),
    judged,
    rule,
    reason,
    evidence,
    scopes: scopesOf(judgement, hasOwner),
    result: resultOf(outcome, rule),
  });
}
