import { randomBytes } from 'node:crypto';
import { spanClassifier } from '@sallyport/classifier';
import type { Decision, Outcome } from '@sallyport/core';
import { fieldsOf } from '@sallyport/core/adapter';
import { type Likelihood, memoryVerdictCache } from '@sallyport/core/stages';
import { type MemoryLog, type MemoryOptions, offered } from '@sallyport/mcp-proxy';
import { accessTo } from '../../store/policy/access.ts';
import { gatePolicy, memoryPolicy, type PolicyBody, policyFor } from '../../store/policy/body.ts';
import type { DryRunSource, RecordedEntry, RecordedPrincipal, RecordedRules } from '../../store/policy/recorded.ts';
import { PrincipalGuards } from '../guard/principal-guards.ts';
import { commonThresholds, withThresholds } from '../guard/thresholds.ts';
import { memoryLimits } from '../thread/cached-principals.ts';
import { type AskMain, classifierOver, readEntry } from '../thread/services.ts';

/** A call that was made, or that was refused. */
export interface RecordedCall {
  readonly place: number;
  readonly at: number;
  readonly wasMade: boolean;
  /** Undefined: the principal's. */
  readonly conversation: string | undefined;
  readonly call: { readonly id: string; readonly tool: string; readonly arguments: unknown };
}

/** The decision that a call would meet now. A call of a tool that is not offered has no decision. */
export interface Verdict {
  readonly outcome: Outcome;
  readonly rule: string;
  readonly cell?: string | undefined;
  readonly decision?: Decision;
}

/** Settings for judging recorded calls, apart from rules. */
export interface RecordedSettings extends Pick<DryRunSource, 'servers'> {
  /** The id of a classifier that runs on the main thread. Undefined: the built-in one, on this thread. */
  readonly classifier: string | undefined;
}

const MEMORY = 512;
const NAMED = 'conversation ';
const cache = memoryVerdictCache();

/** The name of a conversation in the log. Undefined: the principal's. */
export function logName(conversation: string | undefined): string {
  return conversation === undefined ? 'own' : NAMED + conversation;
}

/** The conversation of a name in the log. Undefined: not one that is read, such as that of definitions. */
export function namedIn(name: string): { readonly conversation: string | undefined } | undefined {
  if (name === 'own') return { conversation: undefined };
  return name.startsWith(NAMED) ? { conversation: name.slice(NAMED.length) } : undefined;
}

export function callIn({ conversation, place, text, at }: RecordedEntry): RecordedCall | undefined {
  if (at === undefined) return undefined;
  const { entry } = fieldsOf(readEntry(text));
  const { type, id, tool, arguments: given, conversation: refusedIn } = fieldsOf(entry);
  if (type !== 'call' || typeof id !== 'string' || typeof tool !== 'string') return undefined;
  const named = conversation.startsWith(NAMED) ? conversation.slice(NAMED.length) : undefined;
  const refused = conversation === 'refused' && typeof refusedIn === 'string' ? refusedIn : undefined;
  const wasMade = conversation !== 'refused';
  return { place, at, wasMade, conversation: named ?? refused, call: { id, tool, arguments: given } };
}

/** The log as it was at a place: without what was written later. */
export function logUntil(entries: readonly RecordedEntry[], place: () => number): MemoryLog {
  const named = new Map<string, RecordedEntry[]>();
  for (const entry of entries) {
    const own = named.get(entry.conversation) ?? [];
    own.push(entry);
    named.set(entry.conversation, own);
  }
  return {
    since: async (conversation, after) =>
      (named.get(conversation) ?? [])
        .filter((each) => each.place > after && each.place < place())
        .map((each) => ({ at: each.place, kept: readEntry(each.text) })),
    append: async () => undefined,
  };
}

/** The thresholds by which texts are marked. */
export function thresholdsOf({ policy, raised }: RecordedRules): ReadonlyMap<string, Likelihood> {
  return commonThresholds(policy.thresholds ?? {}, raised);
}

/** Judges the recorded calls of a principal by one set of rules. */
export class RecordedCalls {
  readonly #policy: PolicyBody;
  readonly #principal: RecordedPrincipal;
  readonly #guards: PrincipalGuards;

  private constructor(policy: PolicyBody, principal: RecordedPrincipal, guards: PrincipalGuards) {
    this.#policy = policy;
    this.#principal = principal;
    this.#guards = guards;
  }

  static async under(
    rules: RecordedRules,
    principal: RecordedPrincipal,
    { servers, classifier: id }: RecordedSettings,
    { log, ask, onRead }: { readonly log: MemoryLog; readonly ask: AskMain; readonly onRead?: MemoryOptions['onRead'] },
  ): Promise<RecordedCalls> {
    const classifier = id === undefined ? spanClassifier : classifierOver(ask, id);
    const { policy } = rules;
    const limits = memoryLimits(MEMORY);
    const guards = new PrincipalGuards({
      principal: principal.name,
      key: randomBytes(32),
      policy: memoryPolicy(policy),
      classifier: withThresholds(classifier, thresholdsOf(rules)),
      cache,
      log,
      journal: undefined,
      pins: (server) => ({
        load: () => servers.find(({ name }) => name === server)?.pins,
        add: () => undefined,
        hold: () => undefined,
        waits: () => false,
        others: () => new Map(),
      }),
      approver: () => async () => undefined,
      claim: async () => false,
      maxRead: limits.conversation,
      maxReadTotal: limits.principal,
      ...(onRead === undefined ? {} : { onRead }),
    });
    for (const { name } of servers) await guards.set(name, '', policyFor(policy, name));
    return new RecordedCalls(policy, principal, guards);
  }

  /** Reads what the log has of a conversation at this place. */
  readOn(conversation: string | undefined): Promise<void> {
    return this.#guards.readOn(conversation);
  }

  async judge({ conversation, call }: RecordedCall): Promise<Verdict> {
    if (!this.#isOffered(call.tool)) return { outcome: 'deny', rule: 'hidden' };
    const decision = await this.#guards.recheck(conversation, call, gatePolicy(this.#policy));
    const { outcome, rule, cell } = decision;
    return { outcome, rule, cell, decision };
  }

  #isOffered(named: string): boolean {
    const { name, groups } = this.#principal;
    const server = named.slice(0, named.indexOf('.'));
    const tool = named.slice(server.length + 1);
    // The groups of a token are not recorded.
    const lists = name.startsWith('sub:') ? [{}] : accessTo(this.#policy, server, groups);
    return offered(policyFor(this.#policy, server))(tool) && lists?.some((each) => offered(each)(tool)) === true;
  }
}
