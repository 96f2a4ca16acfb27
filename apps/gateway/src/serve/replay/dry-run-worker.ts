import { setPriority } from 'node:os';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { RecordedEntry, RecordedPrincipal, RecordedRules } from '../../store/policy/recorded.ts';
import { errorText } from '../thread/messages.ts';
import { Asking } from './asking.ts';
import type { ChangedCall, DryRunOrder, DryRunReply, DryRunSettings, Judged } from './dry-run-messages.ts';
import { isSameThresholds, MarkedSpans, newReads } from './marked-spans.ts';
import {
  callIn,
  logUntil,
  namedIn,
  type RecordedCall,
  RecordedCalls,
  thresholdsOf,
  type Verdict,
} from './recorded-calls.ts';

const NICENESS = 10;

const port = parentPort as MessagePort;
const settings = workerData as DryRunSettings;
const reply = (message: DryRunReply): void => port.postMessage(message);
const asking = new Asking(reply);
const hasSameThresholds = isSameThresholds(thresholdsOf(settings.active), thresholdsOf(settings.proposed));

/** Entries of the principal that is judged next. */
let received: RecordedEntry[] = [];

interface Side {
  readonly calls: RecordedCalls;
  /** Spans that these rules mark, and the others do not. */
  readonly marked: MarkedSpans;
}

async function judge({ principal, maxCalls }: Extract<DryRunOrder, { type: 'judge' }>): Promise<Judged> {
  const entries = received.sort((one, other) => one.place - other.place);
  received = [];
  let place = 0;
  const options = { log: logUntil(entries, () => place), ask: asking.ask };
  const isNew = newReads(entries);
  const under = async (rules: RecordedRules, others: RecordedRules): Promise<Side> => {
    const marked = new MarkedSpans(thresholdsOf(others), isNew);
    return { marked, calls: await RecordedCalls.under(rules, principal, settings, { ...options, onRead: marked.add }) };
  };
  const { active, proposed } = settings;
  const [before, after] = [await under(active, proposed), await under(proposed, active)];
  const changed: ChangedCall[] = [];
  let calls = 0;
  const judged = (): Judged => ({ calls, changed, marked: { more: after.marked.count, fewer: before.marked.count } });
  for (const recorded of entries.flatMap((entry) => callIn(entry) ?? [])) {
    if (calls >= maxCalls) return { ...judged(), stoppedBy: 'calls' };
    if (Date.now() >= settings.until) return { ...judged(), stoppedBy: 'time' };
    place = recorded.place;
    const [old, next] = [await before.calls.judge(recorded), await after.calls.judge(recorded)];
    calls++;
    if (old.outcome !== next.outcome) changed.push(changeOf(recorded, principal, old, next));
  }
  if (hasSameThresholds) return judged();
  // The texts read after the last call, or without any call.
  place = Number.POSITIVE_INFINITY;
  for (const name of principal.conversations.flatMap((each) => namedIn(each) ?? [])) {
    if (Date.now() >= settings.until) return { ...judged(), stoppedBy: 'time' };
    await before.calls.readOn(name.conversation);
    await after.calls.readOn(name.conversation);
  }
  return judged();
}

function changeOf(recorded: RecordedCall, principal: RecordedPrincipal, old: Verdict, next: Verdict): ChangedCall {
  const [server = '', ...tool] = recorded.call.tool.split('.');
  return {
    at: recorded.at,
    principal: principal.name,
    server,
    tool: tool.join('.'),
    before: old.outcome,
    after: next.outcome,
    rule: next.rule,
    ...(next.cell === undefined ? {} : { cell: next.cell }),
  };
}

// On Linux this is the priority of this thread; elsewhere it would be that of the process.
if (process.platform === 'linux') setPriority(NICENESS);

port.on('message', (order: DryRunOrder) => {
  if (order.type === 'entries') received.push(...order.entries);
  else if (order.type === 'answer') asking.answer(order);
  else
    void judge(order).then(
      (judged) => reply({ type: 'judged', ...judged }),
      (cause: unknown) => reply({ type: 'failed', error: errorText(cause) }),
    );
});
