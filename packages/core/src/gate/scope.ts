import type { Outcome } from '../call/call.ts';
import type { Argument } from '../provenance/trace-call.ts';

/**
 * What an approval can cover; see `ApprovalScope`.
 *
 * @example
 * ```ts
 * const isScope = SCOPES.some((scope) => scope === form.scope);
 * ```
 */
export const SCOPES = ['once', 'task', 'conversation', 'always'] as const;

/**
 * What an approval covers: this call, `once`; or every call of this tool with the same values about which the same question would
 * be asked, in this `task` (until the next message of the user), in this `conversation`, or `always` for its owner.
 *
 * @example
 * ```ts
 * const scope: ApprovalScope = answer === 'yes, always' ? 'always' : 'once';
 * await conversation.approve(decision, { by: session.userId, scope });
 * ```
 */
export type ApprovalScope = (typeof SCOPES)[number];

interface Judged {
  readonly outcome: Outcome;
  readonly rules: readonly string[];
  readonly cell: string | undefined;
  readonly arguments: readonly Argument[];
}

/** The policy's table alone asks about a call, which carries no secret. What a judge objects to depends on the task. */
function isAskedByTableAlone({ rules, cell, arguments: all }: Omit<Judged, 'outcome'>): boolean {
  return cell !== undefined && rules.length === 1 && rules[0] !== 'judge' && all.every(({ role }) => role !== 'secret');
}

/**
 * The scopes in which a person may approve a call. Only the policy's table gives way to a person who overrides a denial. Always is
 * for what the table alone asks about, without secrets, in a conversation that has an owner.
 */
export function scopesOf(judged: Judged, hasOwner: boolean): readonly ApprovalScope[] {
  if (judged.outcome === 'allow') return [];
  if (judged.outcome === 'deny') return judged.cell === undefined ? [] : ['once'];
  return hasOwner && isAskedByTableAlone(judged) ? SCOPES : ['once', 'task', 'conversation'];
}
