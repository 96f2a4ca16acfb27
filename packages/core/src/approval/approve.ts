import { bytesToHex, randomBytes } from '@noble/hashes/utils.js';
import { canonicalJson } from '../base/canonical-json.ts';
import { digestText } from '../base/digest.ts';
import { checkOptionNames, describeValue, refuse } from '../base/errors.ts';
import type { Report } from '../event.ts';
import { type ApprovalScope, SCOPES } from '../gate/scope.ts';
import type { ApprovalStore, StoredApproval } from './approval-store.ts';
import type { StoredHeldCall } from './held-store.ts';

/** Returns milliseconds since 1970. It is an option, since core has no clock of its own. */
export type Clock = () => number;

/**
 * The person who approves, and the time until which the approval is valid.
 *
 * @example
 * ```ts
 * const approval: Approval = { by: session.userId, until: Date.now() + 60_000 };
 * await conversation.approve(decision, approval);
 * ```
 */
export interface Approval {
  /**
   * The authenticated person who approves. Core cannot check this: call it only after your own login, never from a
   * tool.
   */
  readonly by: string;
  /**
   * The time when the approval expires, in milliseconds since 1970, at most one day ahead.
   * @default five minutes from now
   */
  readonly until?: number;
}

/**
 * The approval of a held call: by whom, in which scope, and until when.
 *
 * @example
 * ```ts
 * await conversation.approve(decision, { by: session.userId, scope: 'conversation', uses: 10 });
 * ```
 */
export interface CallApproval extends Approval {
  /**
   * The scope of the approval. `always` is only for calls of declared tools that the policy's table asks about, without
   * secrets, in a conversation with an `owner`. @default 'once'
   */
  readonly scope?: ApprovalScope;
  /**
   * The time when the approval expires, in milliseconds since 1970: at most one day ahead, except with `always`.
   * @default five minutes from now for `once`, one day for `task` and `conversation`, never for `always`
   */
  readonly until?: number;
  /** The number of calls that are approved, if the scope is not `once`. @default any number, until it expires */
  readonly uses?: number;
  /**
   * Confirms that the person has seen the evidence and overrides a denial by the policy's table, once.
   * @default false
   */
  readonly acknowledge?: boolean;
}

const DAY = 24 * 60 * 60 * 1000;
// An approval is for the current task. A lasting permission belongs in the policy, or has the scope `always`.
const MAX_TERM = DAY;
const DEFAULT_TERMS: Readonly<Record<ApprovalScope, number | undefined>> = {
  once: 5 * 60 * 1000,
  task: DAY,
  conversation: DAY,
  always: undefined,
};

export function checkPerson(by: unknown): void {
  if (typeof by !== 'string' || by.trim() === '')
    refuse(`\`by\` must name the person who approves; received ${describeValue(by)}.`);
}

/** The time when an approval expires; undefined if it does not. */
export function expiryOf(until: number | undefined, scope: ApprovalScope, now: number): number | undefined {
  const term = DEFAULT_TERMS[scope];
  if (until === undefined) return term === undefined ? undefined : now + term;
  const isSoon = scope === 'always' || until <= now + MAX_TERM;
  if (!Number.isFinite(until) || until <= now || !isSoon)
    refuse(
      `\`until\` must be a time in the future, at most one day ahead, in milliseconds since 1970; received ${describeValue(until)}.`,
    );
  return until;
}

function usesOf(uses: number | undefined, scope: ApprovalScope): number | undefined {
  if (scope === 'once') {
    if (uses !== undefined) refuse("`uses` must be left out with the scope 'once'. Give another `scope` as well.");
    return 1;
  }
  if (uses !== undefined && !(Number.isInteger(uses) && uses > 0))
    refuse(`\`uses\` must be a whole number above 0; received ${describeValue(uses)}.`);
  return uses;
}

/** The clock and the listener for recording an approval. */
export interface ApproveSettings {
  readonly clock: Clock;
  readonly onEvent: Report;
  readonly store: ApprovalStore;
}

function checkScope({ decision: { outcome, scopes }, owner }: StoredHeldCall, scope: ApprovalScope): void {
  if (scopes.includes(scope)) return;
  if (!SCOPES.includes(scope))
    refuse(`\`scope\` must be one of ${SCOPES.join(', ')}; received ${describeValue(scope)}.`);
  if (outcome === 'deny') refuse('A person overrides a denial once. Leave `scope` out.');
  if (owner === undefined)
    refuse("`scope: 'always'` applies to an owner. Pass `owner` to boundary.conversation(), such as the user's id.");
  refuse(
    "`scope: 'always'` is only for calls of declared tools that the policy's table alone asks about, without secrets. Choose one of `decision.scopes`.",
  );
}

/**
 * Allows a held call, in the process that holds it or in another one. Throws if the call cannot be approved with these
 * options.
 */
export function approveHeld(
  held: StoredHeldCall,
  approval: CallApproval,
  { clock, store, onEvent }: ApproveSettings,
): Promise<void> {
  const { conversation, owner, decision, values, keys } = held;
  checkOptionNames(approval ?? {}, ['by', 'until', 'scope', 'uses', 'acknowledge'], 'approve()');
  const overrides = decision.outcome === 'deny';
  const { by, scope = 'once', acknowledge, until: given, uses: count } = approval ?? ({} as Partial<CallApproval>);
  if (overrides && acknowledge !== true)
    refuse(
      'This call was denied. Show the person the evidence, and pass `acknowledge: true` if they want it all the same.',
    );
  checkScope(held, scope);
  checkPerson(by);
  const [until, uses] = [expiryOf(given, scope, clock()), usesOf(count, scope)];
  // Two people may answer at once: both approve the same call, once.
  const id = scope === 'once' ? digestText(canonicalJson(['once', held.id])).slice(0, 24) : bytesToHex(randomBytes(12));
  const { call, rule, cell } = decision;
  const stored: StoredApproval = {
    id,
    key: keys[overrides ? 'override' : scope] as string,
    scope,
    conversation,
    ...(scope === 'always' && { owner: owner as string }),
    tool: call.tool,
    values,
    rule,
    ...(cell && { cell }),
    by: by as string,
    created: clock(),
    ...(until !== undefined && { until }),
    ...(uses !== undefined && { uses }),
  };
  const about = { approvalId: id, scope, by: by as string, until, tool: call.tool, callId: call.id };
  // A wrong option throws at once; a store that fails rejects, even if it throws.
  return Promise.resolve()
    .then(() => store.add(stored))
    .then(() => onEvent({ type: 'endorsed', what: 'call', ...about }));
}
