import type { Outcome, ProposedCall } from '../call/call.ts';
import type { Effect } from '../call/effect.ts';
import type { Tool } from '../call/tool.ts';
import type { Label } from '../label/label.ts';
import type { Place } from '../provenance/occurrence.ts';
import type { Provenance } from '../provenance/trace.ts';
import type { Argument } from '../provenance/trace-call.ts';
import type { TrustClass } from '../provenance/trust.ts';

/** Why: a value of the call, and the place in what the model has read that it comes from. */
export interface Evidence {
  /** A JSON pointer into the arguments. */
  readonly path: string;
  readonly value: string;
  readonly trust: TrustClass;
  /** The record it stands in, with UTF-16 offsets in the part as it was shown. Absent when it stands nowhere. */
  readonly place?: Place;
  /** What stands around it, for a person to read. It is content of others: show it as such. */
  readonly excerpt?: string;
}

/** What a rule is asked. */
export interface GateQuestion {
  readonly call: ProposedCall;
  /** Undefined when nobody declared it. */
  readonly tool: Tool | undefined;
  /** The tool's, or the strongest when nobody declared one. */
  readonly effect: Effect;
  readonly arguments: readonly Argument[];
  /** Everything the model had read when it proposed this. */
  readonly context: Label;
  /** Whether content of the conversation was shown to a model. If not, nothing is known of what it has read. */
  readonly hasRendered: boolean;
  /** Whose words a part of an argument is. */
  readonly trace: (text: string) => Provenance;
  /** Where something that reads like an instruction to the model speaks of what this tool does. */
  readonly instruction: Place | undefined;
  /** The label of a record that the model has read. */
  readonly labelOf: (recordId: string) => Label | undefined;
}

export interface RuleResult {
  readonly outcome: Outcome;
  /** For a person: what is the matter and what can be done. */
  readonly reason: string;
  /** The arguments it is about. @default none */
  readonly about?: readonly Argument[];
}

/** Says what should become of a call, or nothing when it is not its business. */
export type Rule = (question: GateQuestion) => RuleResult | undefined;

/** Rules by name. The strictest opinion counts; where no rule has one, the call is denied. */
export type Rules = Readonly<Record<string, Rule>>;

interface DecisionFields {
  readonly call: ProposedCall;
  readonly outcome: Outcome;
  readonly judged: Outcome;
  readonly rule: string;
  readonly reason: string;
  readonly evidence: readonly Evidence[];
  readonly arguments: readonly Argument[];
  readonly result: string;
}

/** What was decided about a call, and why. Made by the gate alone. */
export class Decision {
  readonly #made = true;
  readonly type = 'decision';
  readonly call: ProposedCall;
  readonly outcome: Outcome;
  /** What the rules said. It differs from the outcome where they are only observed, or a person has approved. */
  readonly judged: Outcome;
  readonly rule: string;
  readonly reason: string;
  readonly evidence: readonly Evidence[];
  /** Every value of the call with its provenance. */
  readonly arguments: readonly Argument[];
  /** What to tell the model in place of the tool's result. Constant words: nothing of the call or of any content. */
  readonly result: string;

  constructor(fields: DecisionFields) {
    this.call = fields.call;
    this.outcome = fields.outcome;
    this.judged = fields.judged;
    this.rule = fields.rule;
    this.reason = fields.reason;
    this.evidence = Object.freeze([...fields.evidence]);
    this.arguments = fields.arguments;
    this.result = fields.result;
    Object.freeze(this);
  }

  static is(value: unknown): value is Decision {
    return typeof value === 'object' && value !== null && #made in value;
  }
}
