import { setPriority } from 'node:os';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { RecordedEntry } from '../../store/policy/recorded.ts';
import { errorText } from '../thread/messages.ts';
import { Asking } from './asking.ts';
import type { ChangedCall, DryRunOrder, DryRunReply, DryRunSettings, Judged } from './dry-run-messages.ts';
import { callIn, logUntil, RecordedCalls } from './recorded-calls.ts';

const NICENESS = 10;

const port = parentPort as MessagePort;
const settings = workerData as DryRunSettings;
const reply = (message: DryRunReply): void => port.postMessage(message);
const asking = new Asking(reply);

/** What has arrived for the principal that is judged next. */
let received: RecordedEntry[] = [];

async function judge({ principal, maxCalls }: Extract<DryRunOrder, { type: 'judge' }>): Promise<Judged> {
  const entries = received.sort((one, other) => one.place - other.place);
  received = [];
  let place = 0;
  const options = { log: logUntil(entries, () => place), ask: asking.ask };
  const before = await RecordedCalls.under(settings.active, principal, settings, options);
  const after = await RecordedCalls.under(settings.proposed, principal, settings, options);
  const changed: ChangedCall[] = [];
  let calls = 0;
  for (const recorded of entries.flatMap((entry) => callIn(entry) ?? [])) {
    if (calls >= maxCalls) return { calls, changed, stoppedBy: 'calls' };
    if (Date.now() >= settings.until) return { calls, changed, stoppedBy: 'time' };
    place = recorded.place;
    const [old, next] = [await before.judge(recorded), await after.judge(recorded)];
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
  if (order.type === 'entries') received.push(...order.entries);
  else if (order.type === 'answer') asking.answer(order);
  else
    void judge(order).then(
      (judged) => reply({ type: 'judged', ...judged }),
      (cause: unknown) => reply({ type: 'failed', error: errorText(cause) }),
    );
});
