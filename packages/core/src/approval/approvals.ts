import { bytesToHex, randomBytes } from '@noble/hashes/utils.js';
import { canonicalJson } from '../base/canonical-json.ts';
import { digestText } from '../base/digest.ts';
import { checkOptionNames, describeValue, refuse, SallyportError } from '../base/errors.ts';
import type { ProposedCall } from '../call/call.ts';
import { causeName, type Report } from '../event.ts';
import { type AskedValue, argumentsOf, causeOf, valuesOf } from '../gate/cause.ts';
import { Decision } from '../gate/decision.ts';
import { readable } from '../gate/excerpt.ts';
import { type ApprovalScope, SCOPES } from '../gate/scope.ts';
import type { Argument } from '../provenance/trace-call.ts';
import { type ApprovalPlace, type ApprovalStore, appliesIn, isValid, type StoredApproval } from './approval-store.ts';
import type { HeldCall } from './held-store.ts';

/** Returns milliseconds since 1970. It is an option, since core has no clock of its own. */
export type Clock = () => number;

/**
 * Who approves, and for how long.
 *
 * @example
 * ```ts
 * const approval: Approval = { by: session.userId, until: Date.now() + 60_000 };
 * await conversation.approve(decision, approval);
 * ```
 */
export interface Approval {
  /** The authenticated person who approves. Core cannot check this: call it only after your own login, never from a tool. */
  readonly by: string;
  /** When the approval expires, in milliseconds since 1970, at most one day ahead. @default five minutes from now */
  readonly until?: number;
}

/**
 * How a held call is approved.
 *
 * @example
 * ```ts
 * await conversation.approve(decision, { by: session.userId, scope: 'conversation', uses: 10 });
 * ```
 */
export interface CallApproval extends Approval {
  /**
   * What is approved. `always` is only for calls of declared tools that the policy's table asks about, without secrets, in a
   * conversation with an `owner`. @default 'once'
   */
  readonly scope?: ApprovalScope;
  /**
   * When the approval expires, in milliseconds since 1970: at most one day ahead, except with `always`.
   * @default five minutes from now for `once`, one day for `task` and `conversation`, never for `always`
   */
  readonly until?: number;
  /** How many calls are approved, if the scope is not `once`. @default any number, until it expires */
  readonly uses?: number;
  /** Whether the person has seen the evidence and overrides a denial by the policy's table, once. @default false */
  readonly acknowledge?: boolean;
}

/**
 * A value that a person vouches for, for one tool.
 *
 * @example
 * ```ts
 * const trusted: TrustedValue = { value: 'supplier@example.com', tool: 'send_mail', by: session.userId };
 * conversation.trustValue(trusted);
 * ```
 */
export interface TrustedValue extends Approval {
  /** The text of the argument; a number as text. */
  readonly value: string;
  /** The name of the tool that the value may be used with. */
  readonly tool: string;
}

const DAY = 24 * 60 * 60 * 1000;
// An approval is for the task at hand; what should apply for longer belongs in the policy, or is `always`.
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

/** When an approval expires; undefined if it does not. */
function expiryOf(until: number | undefined, scope: ApprovalScope, now: number): number | undefined {
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

function digestOfValue(tool: string, value: string): string {
  return digestText(canonicalJson([tool, value]));
}

const MAX_VALUES = 20;

/** The values of a call for a person to read. */
function shownValues(decision: Decision): readonly AskedValue[] {
  return valuesOf(decision)
    .slice(0, MAX_VALUES)
    .map(({ path, value, isSecret }) => ({ path: readable(path), value: isSecret ? '(secret)' : readable(value) }));
}

/** What a conversation gives to its approvals. */
export interface ApprovalSettings extends ApprovalPlace {
  readonly clock: Clock;
  readonly onEvent: Report;
  readonly store: ApprovalStore;
  /** The same for the same messages of the user, in the same order, and for no others. */
  readonly task: () => string;
}

function checkScope({ decision: { outcome, scopes }, owner }: HeldCall, scope: ApprovalScope): void {
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

/** Allows a held call, in the process that holds it or in another one. Throws if it cannot be approved in this way. */
export function approveHeld(
  held: HeldCall,
  approval: CallApproval,
  { clock, store, onEvent }: Pick<ApprovalSettings, 'clock' | 'store' | 'onEvent'>,
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
  const id = bytesToHex(randomBytes(12));
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

/** The calls and values that people have approved, for one conversation. Values are kept in memory, calls in a store. */
export class Approvals {
  readonly #settings: ApprovalSettings;
  readonly #values = new Map<string, number>();

  constructor(settings: ApprovalSettings) {
    this.#settings = settings;
  }

  /** The digest that an approval of this scope is found by. An override of a denial has a digest of its own. */
  #keyOf(decision: Decision, scope: ApprovalScope | 'override'): string {
    const { conversation, owner, task } = this.#settings;
    const { tool } = decision.call;
    switch (scope) {
      case 'once':
      case 'override':
        return digestText(canonicalJson([scope, conversation, tool, argumentsOf(decision.call)]));
      case 'task':
        return digestText(canonicalJson([scope, conversation, task(), causeOf(decision)]));
      case 'conversation':
        return digestText(canonicalJson([scope, conversation, causeOf(decision)]));
      case 'always':
        return digestText(canonicalJson([scope, owner ?? '', causeOf(decision)]));
    }
  }

  /** The digests of all approvals that would cover a call. An override covers a call that is only asked about by now. */
  #keysOf(decision: Decision): readonly string[] {
    const { outcome, scopes } = decision;
    if (scopes.length === 0) return [];
    const covering = outcome === 'deny' ? (['override'] as const) : (['override', ...scopes] as const);
    return covering.map((scope) => this.#keyOf(decision, scope));
  }

  /** A held call, or a denial that a person may override, for a person in any process. */
  held(decision: Decision): HeldCall {
    const { conversation, owner, clock } = this.#settings;
    const { call, outcome, scopes } = decision;
    const kinds = outcome === 'deny' ? (['override'] as const) : scopes;
    return {
      id: digestText(canonicalJson([conversation, call.id, call.tool, argumentsOf(call)])),
      conversation,
      ...(owner !== undefined && { owner }),
      decision: decision.toJSON(),
      values: shownValues(decision),
      keys: Object.fromEntries(kinds.map((kind) => [kind, this.#keyOf(decision, kind)])),
      created: clock(),
    };
  }

  /** Allows a held call: this tool with these arguments, once; or with these values, for longer. Throws if it cannot be approved. */
  approve(decision: Decision, approval: CallApproval): Promise<void> {
    if (!Decision.is(decision) || decision.scopes.length === 0)
      throw new SallyportError(
        'ERR_STAGE_SKIPPED',
        'approve() needs a decision of check() whose outcome is ask, or a denial by the policy. No person can override what a rule denies.',
      );
    return approveHeld(this.held(decision), approval, this.#settings);
  }

  /** The approval that covers a held call, of which one use is counted. Undefined if there is none, or the store failed. */
  async take(decision: Decision): Promise<StoredApproval | undefined> {
    const { clock, store, onEvent } = this.#settings;
    const keys = this.#keysOf(decision);
    if (keys.length === 0) return undefined;
    try {
      const taken = await store.take(keys, clock());
      return taken && keys.includes(taken.key) && isValid(taken, clock()) ? taken : undefined;
    } catch (cause) {
      onEvent({ type: 'approvals-failed', operation: 'take', callId: decision.call.id, cause: causeName(cause) });
      return undefined;
    }
  }

  /** The approvals that are valid in this conversation now. */
  async list(): Promise<readonly StoredApproval[]> {
    const { clock, store, conversation, owner } = this.#settings;
    const place = { conversation, ...(owner !== undefined && { owner }) };
    const listed = await store.list(place);
    return listed.filter((each) => isValid(each, clock()) && appliesIn(each, place));
  }

  /** Ends an approval that is valid in this conversation. False if there is none with this id. */
  async revoke(id: string): Promise<boolean> {
    const { store, onEvent } = this.#settings;
    const approval = (await this.list()).find((each) => each.id === id);
    if (approval === undefined || !(await store.revoke(id))) return false;
    const { scope, tool } = approval;
    onEvent({ type: 'revoked', approvalId: id, scope, tool });
    return true;
  }

  /** Records that a person vouches for a value. */
  vouch({ value, tool, ...approval }: TrustedValue): void {
    if (typeof value !== 'string' || value.trim() === '' || typeof tool !== 'string' || tool === '')
      throw new SallyportError(
        'ERR_INVALID_OPTION',
        `A trusted value must be { value, tool, by } with non-empty strings; received value ${describeValue(value)} and tool ${describeValue(tool)}. Pass a number as text.`,
      );
    checkOptionNames(approval, ['by', 'until'], 'trustValue()');
    checkPerson(approval.by);
    const { clock, onEvent } = this.#settings;
    const until = expiryOf(approval.until, 'once', clock()) as number;
    this.#values.set(digestOfValue(tool, value), until);
    onEvent({ type: 'endorsed', what: 'value', by: approval.by, until, tool, callId: undefined });
  }

  /** The arguments of a call, with those marked as vouched that a person vouches for now. */
  applyTo(call: ProposedCall, traced: readonly Argument[]): readonly Argument[] {
    if (this.#values.size === 0) return traced;
    const now = this.#settings.clock();
    return traced.map((argument) => {
      const until = this.#values.get(digestOfValue(call.tool, argument.text));
      if (until === undefined || now >= until) return argument;
      return {
        ...argument,
        provenance: { ...argument.provenance, trust: 'vouched', vouchedBy: 'person' },
      };
    });
  }
}
