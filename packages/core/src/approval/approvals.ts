import { canonicalJson } from '../base/canonical-json.ts';
import { digestText } from '../base/digest.ts';
import { checkOptionNames, describeValue, SallyportError } from '../base/errors.ts';
import type { ProposedCall } from '../call/call.ts';
import { causeName } from '../event.ts';
import { readable } from '../facts/excerpt.ts';
import { Decision } from '../gate/decision.ts';
import type { ApprovalScope } from '../gate/scope.ts';
import { hideSecrets, SECRET } from '../gate/secrets.ts';
import type { Argument } from '../provenance/trace-call.ts';
import { type ApprovalPlace, appliesIn, isValid, type StoredApproval } from './approval-store.ts';
import {
  type Approval,
  type ApproveSettings,
  approveHeld,
  type CallApproval,
  checkPerson,
  expiryOf,
} from './approve.ts';
import { type AskedValue, argumentsOf, causeOf, valuesOf } from './cause.ts';
import type { StoredHeldCall } from './held-store.ts';

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

function digestOfValue(tool: string, value: string): string {
  return digestText(canonicalJson([tool, value]));
}

const MAX_VALUES = 20;

/** The values of a call for a person to read, shortened. */
function shownValues(decision: Decision): readonly AskedValue[] {
  return valuesOf(decision)
    .slice(0, MAX_VALUES)
    .map(({ path, value, isSecret }) => ({ path: readable(path), value: isSecret ? SECRET : readable(value) }));
}

/** The settings that a conversation passes to its approvals. */
export interface ApprovalSettings extends ApprovalPlace, ApproveSettings {
  /** Identifies the task: the messages of the user in their order. Any other message makes another task. */
  readonly task: () => string;
}

/**
 * The calls and values that people have approved, for one conversation. Values are kept in memory, calls in a store.
 */
export class Approvals {
  readonly #settings: ApprovalSettings;
  readonly #values = new Map<string, number>();
  readonly #callers = new WeakMap<ProposedCall, string>();

  constructor(settings: ApprovalSettings) {
    this.#settings = settings;
  }

  /** Approvals of the scopes task and conversation apply to a call only if the same other conversation makes it. */
  setCaller(call: ProposedCall, conversation: string): void {
    this.#callers.set(call, conversation);
  }

  /** The digest under which an approval of this scope is stored. An override of a denial has its own digest. */
  #keyOf(decision: Decision, scope: ApprovalScope | 'override'): string {
    const { conversation, owner, task } = this.#settings;
    const { tool } = decision.call;
    const caller = this.#callers.get(decision.call);
    const place = caller === undefined ? conversation : [conversation, caller];
    switch (scope) {
      case 'once':
      case 'override':
        return digestText(canonicalJson([scope, conversation, tool, argumentsOf(decision.call)]));
      case 'task':
        return digestText(canonicalJson([scope, place, task(), causeOf(decision)]));
      case 'conversation':
        return digestText(canonicalJson([scope, place, causeOf(decision)]));
      case 'always':
        return digestText(canonicalJson([scope, owner ?? '', causeOf(decision)]));
    }
  }

  /**
   * The digests of all approvals that would cover a call. An override of a denial also covers the same call if it is
   * now only asked about.
   */
  #keysOf(decision: Decision): readonly string[] {
    const { outcome, scopes } = decision;
    if (scopes.length === 0) return [];
    const covering = outcome === 'deny' ? (['override'] as const) : (['override', ...scopes] as const);
    return covering.map((scope) => this.#keyOf(decision, scope));
  }

  /** The id of a held call. It depends on the call only, not on the decision. */
  idOf({ call, arguments: given }: Decision): string {
    const { conversation } = this.#settings;
    return digestText(canonicalJson([conversation, call.id, call.tool, hideSecrets(call.argumentsJson, given)]));
  }

  /** The stored form of a held call, or of a denial that a person may override, which people see in any process. */
  held(decision: Decision): StoredHeldCall {
    const { conversation, owner, clock } = this.#settings;
    const { outcome, scopes } = decision;
    const kinds = outcome === 'deny' ? (['override'] as const) : scopes;
    return {
      id: this.idOf(decision),
      conversation,
      ...(owner !== undefined && { owner }),
      decision: decision.toJSON(),
      values: shownValues(decision),
      keys: Object.fromEntries(kinds.map((kind) => [kind, this.#keyOf(decision, kind)])),
      created: clock(),
    };
  }

  /**
   * Allows a held call: this tool with these arguments, once; or with these values, for longer. Throws if it cannot be
   * approved.
   */
  approve(decision: Decision, approval: CallApproval): Promise<void> {
    if (!Decision.is(decision) || decision.scopes.length === 0)
      throw new SallyportError(
        'ERR_STAGE_SKIPPED',
        'approve() needs a decision of check() whose outcome is ask, or a denial by the policy. No person can override what a rule denies.',
      );
    return approveHeld(this.held(decision), approval, this.#settings);
  }

  /**
   * The approval that covers a held call, after counting one use of it. Undefined if no approval does, or the store
   * failed.
   */
  async take(decision: Decision): Promise<StoredApproval | undefined> {
    const { clock, store, onEvent } = this.#settings;
    const keys = this.#keysOf(decision);
    if (keys.length === 0) return undefined;
    try {
      const taken = await store.take(keys, clock(), decision);
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

  /** Ends an approval that is valid in this conversation. False if no approval has this id. */
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
