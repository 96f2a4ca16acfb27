import type { Effect } from '../call/effect.ts';
import type { Role } from '../call/role.ts';
import type { Supplier, TableChanges } from '../call/table-changes.ts';
import type { Label } from '../label/label.ts';

/**
 * What is known about a value of a call, or about an address in one of its texts.
 *
 * @example
 * ```ts
 * const strangers = facts.values.filter(({ supplier }: ValueFacts) => supplier === 'content');
 * ```
 */
export interface ValueFacts {
  /** A JSON pointer into the arguments. */
  readonly path: string;
  readonly value: string;
  readonly role: Role;
  readonly supplier: Supplier;
  /** Where the value comes from, in a closed set of words and with names of declared tools: "from read_mail, where outsiders write". */
  readonly from: string;
  /** A trusted source wrote the value word for word. No byte of untrusted content changes this. */
  readonly isVouched: boolean;
  /** A request in content, or what may be an instruction to the model, names the value. @default false */
  readonly isRequested?: true;
  /** The search for the value ended at its limit. @default false */
  readonly isUnchecked?: true;
  /** The value is a name in the arguments, such as a key of a map of addresses. @default false */
  readonly isKey?: true;
  /** The tool leaves the wording to the model (`modelText`). @default false */
  readonly isFree?: true;
  /** The value is an address in the text at `path`. @default false */
  readonly isInText?: true;
}

/** Private data that a call would give to an address that others chose. */
export interface Disclosure {
  /** `unchecked` if there was too much to search. */
  readonly degree: 'private' | 'secret' | 'unchecked';
  /** The arguments that hold the address or the data. */
  readonly paths: readonly string[];
}

/**
 * What the judge said about a call.
 *
 * @example
 * ```ts
 * const yes: JudgeAnswer = { act: true, target: true, careful: false, reason: 'The user asked to pay this invoice.' };
 * ```
 */
export interface JudgeAnswer {
  /** The user asked for what the call does, or it is a usual step of that. */
  readonly act: boolean;
  /** The user's words lead to the values that decide where money, data, access or changes go. */
  readonly target: boolean;
  /** The call fits, but a careful person would want to be asked first. */
  readonly careful: boolean;
  /** One sentence for a person. */
  readonly reason: string;
}

/**
 * Everything that a decision depends on, as plain JSON: it can be stored, compared and decided again without its conversation.
 *
 * @example
 * ```ts
 * const payments: Rule = ({ effect }: Facts) =>
 *   effect === 'spend' ? { outcome: 'ask', reason: 'Payments need an approval.' } : undefined;
 * ```
 */
export interface Facts {
  readonly tool: string;
  readonly isDeclared: boolean;
  /** A declared tool that the call may have meant. Absent if there is none. */
  readonly similarTool?: string;
  /** The tool's effect; `execute`, the strongest, if it is not declared. */
  readonly effect: Effect;
  /** Content of the conversation was shown to a model. If not, what the model has read is unknown. */
  readonly hasRendered: boolean;
  /** The model had read content that no trusted source wrote. */
  readonly hasReadOthers: boolean;
  /** A text that was read addresses the model, as an instruction does. */
  readonly isAlarmed: boolean;
  /** The joined label of everything the model had read. */
  readonly context: Label;
  readonly values: readonly ValueFacts[];
  /** The addresses in texts of the call. */
  readonly addresses: readonly ValueFacts[];
  /** The call has more values than are read. */
  readonly isOversized: boolean;
  /** Absent if the call gives nothing private to an address that others chose. */
  readonly disclosure?: Disclosure;
  /** What a script computed or chose after it had read untrusted content. Absent for calls of a model. */
  readonly computed?: readonly string[];
  /** Secrets in a known form, by `findSecrets`, that the user did not type. @default none */
  readonly secrets: readonly { readonly path: string; readonly kind: string }[];
  /** Cells of the table that the tool's declaration changes. */
  readonly table?: TableChanges;
  /** What the judge answered, or that it failed. Absent if it was not asked. */
  readonly judge?: JudgeAnswer | { readonly failed: string };
}
