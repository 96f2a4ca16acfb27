import type { ProposedCall } from '../call/call.ts';
import type { Effect } from '../call/effect.ts';
import type { Role } from '../call/role.ts';
import type { Tool } from '../call/tool.ts';
import type { Label } from '../label/label.ts';
import type { Place } from '../provenance/occurrence.ts';
import type { Provenance } from '../provenance/trace.ts';
import type { Argument } from '../provenance/trace-call.ts';

/** A call, and the questions about it that only its conversation can answer. The facts are found with it. */
export interface Inspection {
  readonly call: ProposedCall;
  readonly tool: Tool | undefined;
  readonly similarTool: string | undefined;
  readonly effect: Effect;
  /** Every value of the call with its provenance. */
  readonly arguments: readonly Argument[];
  readonly hasRendered: boolean;
  /** A text of others that was read addresses the model. */
  readonly isAlarmed: boolean;
  /** Finds where a text comes from, such as a part of an argument, as a role compares it. @default role 'text' */
  readonly trace: (text: string, role?: Role) => Provenance;
  /** A text, and the texts that are encoded or disguised in it; undefined if that is too much to decode in one call. */
  readonly decode: (text: string) => readonly string[] | undefined;
  /** Two places are in the same message: the same JSON object, or the same part. */
  readonly isSameMessage: (one: Place, other: Place) => boolean;
  /** The declared tool that returned a record; undefined if none did. */
  readonly toolOf: (recordId: string) => Tool | undefined;
  /** The label of a record that the model has read; undefined if the record is not known. */
  readonly labelOf: (recordId: string) => Label | undefined;
  readonly findSecrets: FindSecrets | undefined;
}

/** A secret in a known form, such as a token of a service. */
interface FoundSecret {
  readonly text: string;
  /** What it is, for a person to read: "GitHub token". */
  readonly kind: string;
}

/**
 * Finds secrets in the text of an argument of a call.
 *
 * @example
 * ```ts
 * const findSecrets: FindSecrets = (text) => (text.match(/sk-[\w-]{20,}/g) ?? []).map((each) => ({ text: each, kind: 'API key' }));
 * ```
 */
export type FindSecrets = (
  text: string,
  call: { readonly tool: string; readonly effect: Effect },
) => readonly FoundSecret[];
