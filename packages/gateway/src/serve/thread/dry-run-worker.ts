import { randomBytes } from 'node:crypto';
import { setPriority } from 'node:os';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { spanClassifier } from '@sallyport/classifier';
import type { Outcome } from '@sallyport/core';
import { fieldsOf } from '@sallyport/core/adapter';
import { memoryVerdictCache } from '@sallyport/core/stages';
import { type MemoryLog, offered } from '@sallyport/mcp-proxy';
import { accessTo } from '../../store/policy/access.ts';
import { memoryPolicy, type PolicyBody, policyFor } from '../../store/policy/body.ts';
import type { RecordedEntry, RecordedPrincipal } from '../../store/policy/recorded.ts';
import { PrincipalGuards } from '../guard/principal-guards.ts';
import { commonThresholds, withThresholds } from '../guard/thresholds.ts';
import { memoryLimits } from './cached-principals.ts';
import type { ChangedCall, DryRunOrder, DryRunReply, DryRunSettings, Judged } from './dry-run-messages.ts';
import { errorOf, errorText } from './messages.ts';
import { classifierOver, readEntry } from './services.ts';

/** A call that was made, or that was refused. */
interface RecordedCall {
  readonly place: number;
  readonly at: number;
  /** Undefined: the principal's. */
  readonly conversation: string | undefined;
  readonly call: { readonly id: string; readonly tool: string; readonly arguments: unknown };
}

interface Verdict {
  readonly outcome: Outcome;
  readonly rule: string;
  readonly cell?: string | undefined;
}

const NICENESS = 10;
const MEMORY = 512;
const NAMED = 'conversation ';

const port = parentPort as MessagePort;
const settings = workerData as DryRunSettings;
const cache = memoryVerdictCache();
const asked = new Map<number, { resolve: (value: unknown) => void; reject: (cause: Error) => void }>();
let questions = 0;

const reply = (message: DryRunReply): void => port.postMessage(message);

function ask(service: string, given: readonly unknown[]): Promise<unknown> {
  const id = ++questions;
  return new Promise((resolve, reject) => {
    asked.set(id, { resolve, reject });
    reply({ type: 'ask', id, service, given });
  });
}

function callIn({ conversation, place, text, at }: RecordedEntry): RecordedCall | undefined {
  if (at === undefined) return undefined;
  const { entry } = fieldsOf(readEntry(text));
  const { type, id, tool, arguments: given, conversation: refusedIn } = fieldsOf(entry);
  if (type !== 'call' || typeof id !== 'string' || typeof tool !== 'string') return undefined;
  const named = conversation.startsWith(NAMED) ? conversation.slice(NAMED.length) : undefined;
  const refused = conversation === 'refused' && typeof refusedIn === 'string' ? refusedIn : undefined;
  return { place, at, conversation: named ?? refused, call: { id, tool, arguments: given } };
}

/** The log as it was when a call was made: without what was written later. */
function logUntil(entries: readonly RecordedEntry[], place: () => number): MemoryLog {
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

function guardsFor(policy: PolicyBody, principal: string, log: MemoryLog): PrincipalGuards {
  const { classifier: id, raised } = settings;
  const classifier = id === undefined ? spanClassifier : classifierOver(ask, id);
  const thresholds = commonThresholds(
    policy.thresholds ?? {},
    raised.map((each) => new Map(each)),
  );
  const limits = memoryLimits(MEMORY);
  return new PrincipalGuards({
    principal,
    key: randomBytes(32),
    policy: memoryPolicy(policy),
    classifier: withThresholds(classifier, thresholds),
    cache,
    log,
    journal: undefined,
    pins: (server) => ({
      load: () => settings.servers.find(({ name }) => name === server)?.pins,
      add: () => undefined,
      hold: () => undefined,
      waits: () => false,
      others: () => new Map(),
    }),
    approver: () => async () => undefined,
    claim: async () => false,
    maxRead: limits.conversation,
    maxReadTotal: limits.principal,
  });
}

/** Judges the calls of a principal under one policy. */
async function judgeUnder(
  policy: PolicyBody,
  { name, groups }: RecordedPrincipal,
  log: MemoryLog,
): Promise<(call: RecordedCall) => Promise<Verdict>> {
  const guards = guardsFor(policy, name, log);
  for (const server of settings.servers) await guards.set(server.name, '', policyFor(policy, server.name));
  return async ({ conversation, call }) => {
    const server = call.tool.slice(0, call.tool.indexOf('.'));
    const tool = call.tool.slice(server.length + 1);
    // The groups of a token are not recorded.
    const lists = name.startsWith('sub:') ? [{}] : accessTo(policy, server, groups);
    const isOffered = offered(policyFor(policy, server))(tool) && lists?.some((each) => offered(each)(tool)) === true;
    if (!isOffered) return { outcome: 'deny', rule: 'hidden' };
    const { outcome, rule, cell } = await guards.recheck(conversation, call);
    return { outcome, rule, cell };
  };
}

async function judge({ principal, entries, maxCalls }: Extract<DryRunOrder, { type: 'judge' }>): Promise<Judged> {
  let place = 0;
  const log = logUntil(entries, () => place);
  const before = await judgeUnder(settings.active, principal, log);
  const after = await judgeUnder(settings.proposed, principal, log);
  const changed: ChangedCall[] = [];
  let calls = 0;
  for (const recorded of entries.flatMap((entry) => callIn(entry) ?? [])) {
    if (calls >= maxCalls) return { calls, changed, stoppedBy: 'calls' };
    if (Date.now() >= settings.until) return { calls, changed, stoppedBy: 'time' };
    place = recorded.place;
    const [old, next] = [await before(recorded), await after(recorded)];
    calls++;
    if (old.outcome === next.outcome) continue;
    const [server = '', ...tool] = recorded.call.tool.split('.');
    changed.push({
      at: recorded.at,
      principal: principal.name,
      server,
      tool: tool.join('.'),
      before: old.outcome,
      after: next.outcome,
      rule: next.rule,
      ...(next.cell === undefined ? {} : { cell: next.cell }),
    });
  }
  return { calls, changed };
}

// On Linux this is the priority of this thread; elsewhere it would be that of the process.
if (process.platform === 'linux') setPriority(NICENESS);

port.on('message', (order: DryRunOrder) => {
  if (order.type === 'judge')
    void judge(order).then(
      (judged) => reply({ type: 'judged', ...judged }),
      (cause: unknown) => reply({ type: 'failed', error: errorText(cause) }),
    );
  else if (order.error === undefined) asked.get(order.id)?.resolve(order.value);
  else asked.get(order.id)?.reject(errorOf(order.error));
});
