import type { Outcome, ProposedCall } from '../call/call.ts';
import type { RequestableCommand } from '../call/command/requestable.ts';
import type { Effect } from '../call/effect.ts';
import type { Role } from '../call/role.ts';
import type { Asked } from '../call/table-changes.ts';
import type { Tool } from '../call/tool.ts';
import type { Label } from '../label/label.ts';
import type { Place } from '../provenance/occurrence.ts';
import type { Provenance } from '../provenance/trace.ts';
import type { Argument } from '../provenance/trace-call.ts';
import type { TrustClass } from '../provenance/trust.ts';
import type { CallAddresses } from './addresses.ts';
import type { Advice } from './advice.ts';
import type { Excerpt } from './excerpt.ts';
import type { ApprovalScope } from './scope.ts';
import { hideEvidence, hideSecrets } from './secrets.ts';
import type { Cell } from './table.ts';

/**
 * A value of the call that led to the decision, and where it comes from in what the model has read.
 *
 * @example
 * ```ts
 * for (const { path, value, source, excerpt } of decision.evidence satisfies readonly Evidence[])
 *   show(`${path}: ${value}, from ${source}`, excerpt?.before, excerpt?.match, excerpt?.after);
 * ```
 */
export interface Evidence {
  /** A JSON pointer into the arguments. */
  readonly path: string;
  readonly value: string;
  readonly trust: TrustClass;
  /** True if the value, or what is in it, was too much to check in one call: `trust` is what was found until then. Absent otherwise. */
  readonly isOverBudget?: true;
  /** Where the value occurs, in UTF-16 offsets of the part as it was shown. Absent if it occurs nowhere. */
  readonly place?: Place;
  /** The name of the source that the text comes from, such as the tool that returned it. Absent if it has none. */
  readonly source?: string;
  /** The text around the value, for a person to read. Absent if the value occurs nowhere. */
  readonly excerpt?: Excerpt;
}

/**
 * The call that a rule checks, with everything that is known about it.
 *
 * @example
 * ```ts
 * const isPayment = ({ effect }: GateQuestion) => effect === 'spend';
 * ```
 */
export interface GateQuestion {
  readonly call: ProposedCall;
  /** The declared tool; undefined if it is not declared. */
  readonly tool: Tool | undefined;
  /** The name of a declared tool that the call may have meant; undefined if the tool is declared, or no name is similar. */
  readonly similarTool?: string | undefined;
  /** The tool's effect; `execute`, the strongest, if the tool is not declared. */
  readonly effect: Effect;
  /** Every value of the call with its provenance. */
  readonly arguments: readonly Argument[];
  /** The joined label of everything the model had read when it proposed the call. */
  readonly context: Label;
  /** Whether content of the conversation was shown to a model. If not, what the model has read is unknown. */
  readonly hasRendered: boolean;
  /** Finds where a text comes from, such as a part of an argument, as a role compares it. @default role 'text' */
  readonly trace: (text: string, role?: Role) => Provenance;
  /** A text, and the texts that are encoded or disguised in it; undefined if that is too much to decode in one call. */
  readonly decode: (text: string) => readonly string[] | undefined;
  /** The addresses that the gate's own rules have found in this call. */
  readonly addresses: CallAddresses;
  /** Whether the user asked for what this tool does. */
  readonly asked: Asked;
  /** Whether a message of the user is this command and nothing else. */
  readonly isTypedCommand: (command: string) => boolean;
  /** Whether the user ordered what a command installs, deletes or pushes, with each name in it. */
  readonly hasOrdered: (command: RequestableCommand) => boolean;
  /** Whether the user named the person whose mail address this is. */
  readonly isNamedPerson: (address: string) => boolean;
  /** Whether a text has an identifier that the user typed or a name that they said, such as the repository that a link is about. */
  readonly isNamed: (text: string) => boolean;
  /** Whether a person let a call reach this host before, in this conversation. */
  readonly isReached: (host: string) => boolean;
  /** Whether two places are in the same message: the same JSON object, or the same part. */
  readonly isSameMessage: (one: Place, other: Place) => boolean;
  /** Whether any content of others that was read asks for what this tool does. */
  readonly isRequested: boolean;
  /** Whether a place is in a request of others: one that a reader sees, or one that is encoded or hidden. */
  readonly requestAt: (place: Place) => 'seen' | 'unseen' | undefined;
  /** Whether any content of others that was read asks for something, or was not checked. */
  readonly isAnyRequested: boolean;
  /** Whether the user named what the tool sets, such as a limit. */
  readonly isObjectNamed: boolean;
  /** Whether the user said all of some words, such as those of an argument's name. */
  readonly hasSaid: (words: readonly string[]) => boolean;
  /** Whether the user left it to content what is to be done: "do what the mail says". */
  readonly isDelegated: boolean;
  /** The folder of the project that the agent works on, if the application has named it. */
  readonly project: string | undefined;
  /** Whether the user named a value for a role, such as whom to reach, so that they did not leave it to content. */
  readonly hasTyped: (role: Role) => boolean;
  /** The amounts that the user typed, with the words around them: "120 euros". */
  readonly typedAmounts: readonly string[];
  /** Whether the message around a place asks for what this tool does. */
  readonly isRequestedBeside: (place: Place) => boolean;
  /** The name of the source of a record, such as the tool that returned it; undefined if it has none. */
  readonly nameOf: (recordId: string) => string | undefined;
  /** The label of a record that the model has read; undefined if the record is not known. */
  readonly labelOf: (recordId: string) => Label | undefined;
}

/**
 * What a rule decides about a call.
 *
 * @example
 * ```ts
 * const result: RuleResult = { outcome: 'ask', reason: 'Payments need an approval.' };
 * ```
 */
export interface RuleResult {
  readonly outcome: Outcome;
  /** For a person: the cause, and what they can do. */
  readonly reason: string;
  /** The arguments that led to the result; the decision reports them as evidence. @default none */
  readonly about?: readonly Argument[];
  /** The cell of the policy's table that decided. @default none: no table decided */
  readonly cell?: Cell;
  /** What the decision reports as its rule. @default who supplied the worst value of the cell, or the name of the rule */
  readonly name?: string;
}

/**
 * Checks a call. Returns undefined if the rule does not apply to it. Rules are synchronous.
 *
 * @example
 * ```ts
 * const payments: Rule = ({ effect }) =>
 *   effect === 'spend' ? { outcome: 'ask', reason: 'Payments need an approval.' } : undefined;
 * ```
 */
export type Rule = (question: GateQuestion) => RuleResult | undefined;

/**
 * Rules by name. The strictest result counts; if no rule applies, the call is denied.
 *
 * @example
 * ```ts
 * const rules: Rules = { payments };
 * const boundary = createBoundary({ gate: { rules } });
 * ```
 */
export type Rules = Readonly<Record<string, Rule>>;

/** Maximum number of values that a decision reports as evidence. */
export const MAX_EVIDENCE = 16;

interface DecisionFields {
  readonly call: ProposedCall;
  readonly effect: Effect;
  readonly outcome: Outcome;
  readonly judged: Outcome;
  readonly rule: string;
  readonly rules: readonly string[];
  readonly cell: string | undefined;
  readonly reason: string;
  readonly evidence: readonly Evidence[];
  readonly arguments: readonly Argument[];
  readonly scopes: readonly ApprovalScope[];
  readonly result: string;
  readonly advice?: Advice | undefined;
}

/**
 * A decision as plain JSON.
 *
 * @example
 * ```ts
 * const waiting: StoredDecision[] = conversation.pending().map((decision) => decision.toJSON());
 * ```
 */
export interface StoredDecision {
  readonly call: { readonly id: string; readonly tool: string; readonly argumentsJson: string };
  readonly outcome: Outcome;
  readonly judged: Outcome;
  readonly rule: string;
  readonly cell?: string;
  readonly reason: string;
  readonly evidence: readonly Evidence[];
  readonly scopes: readonly ApprovalScope[];
  readonly advice?: Advice;
}

/**
 * What the gate decided about a call, and why. `Conversation.check()` returns it.
 *
 * @example
 * ```ts
 * const decision: Decision = await conversation.check(toolCall);
 * if (decision.outcome !== 'allow') return decision.result;
 * ```
 */
export class Decision {
  readonly #made = true;
  readonly type = 'decision';
  readonly call: ProposedCall;
  /** The effect that was judged: the tool's, or what the values of the call say, such as `configure` for a file that acts later. */
  readonly effect: Effect;
  readonly outcome: Outcome;
  /** What the rules decided. It differs from `outcome` if the gate only observes, a person approved or rejected the call, or may have rejected it. */
  readonly judged: Outcome;
  /** The name of the rule that decided; for the policy's table, who supplied the worst value, such as `requested`. */
  readonly rule: string;
  /** The names of all rules that came to the same result; `rule` is the first of them. */
  readonly rules: readonly string[];
  /** The cell of the policy's table that decided, such as `send, asked, content`; undefined if another rule did. */
  readonly cell: string | undefined;
  /** For a person: the cause, and what they can do. */
  readonly reason: string;
  /** The values that led to the decision. */
  readonly evidence: readonly Evidence[];
  /** Every value of the call with its provenance. */
  readonly arguments: readonly Argument[];
  /** The scopes in which a person may approve the call. Empty if it is allowed, or if no person can override its denial. */
  readonly scopes: readonly ApprovalScope[];
  /** What to give the model in place of the tool's result. A constant text, without anything of the call or of any content. */
  readonly result: string;
  /** What the adviser said about a held call; undefined without an adviser, or if it failed. */
  readonly advice: Advice | undefined;

  constructor(fields: DecisionFields) {
    this.call = fields.call;
    this.effect = fields.effect;
    this.outcome = fields.outcome;
    this.judged = fields.judged;
    this.rule = fields.rule;
    this.rules = Object.freeze([...fields.rules]);
    this.cell = fields.cell;
    this.reason = fields.reason;
    this.evidence = Object.freeze([...fields.evidence]);
    this.arguments = fields.arguments;
    this.scopes = fields.scopes;
    this.result = fields.result;
    this.advice = fields.advice;
    Object.freeze(this);
  }

  static is(value: unknown): value is Decision {
    return typeof value === 'object' && value !== null && #made in value;
  }

  /**
   * The decision as plain JSON, for a queue or a page where a person decides. Its evidence holds untrusted content. Values with the
   * role `secret` are not in it.
   */
  toJSON(): StoredDecision {
    const { call, outcome, judged, rule, cell, reason, scopes, advice } = this;
    const { id, tool } = call;
    const evidence = hideEvidence(this.evidence, this.arguments);
    return {
      call: { id, tool, argumentsJson: hideSecrets(call.argumentsJson, this.arguments) },
      outcome,
      judged,
      rule,
      ...(cell && { cell }),
      reason,
      evidence,
      scopes,
      ...(advice && { advice }),
    };
  }
}
