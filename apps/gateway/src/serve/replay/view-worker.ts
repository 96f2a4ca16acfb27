import { setPriority } from 'node:os';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { fieldsOf } from '@sallyport/core/adapter';
import { type MemoryOptions, partName, shownValues } from '@sallyport/mcp-proxy';
import { findingId } from '../../store/policy/findings.ts';
import type { RecordedEntry } from '../../store/policy/recorded.ts';
import { errorText } from '../thread/messages.ts';
import { readEntry } from '../thread/services.ts';
import { Asking } from './asking.ts';
import { callIn, logName, logUntil, type RecordedCall, RecordedCalls, type Verdict } from './recorded-calls.ts';
import type { ViewCall, ViewEntry, ViewOrder, ViewReply, ViewSettings, ViewText } from './view-messages.ts';

const NICENESS = 5;
/** Characters that are sent at once. */
const PORTION = 256_000;

const port = parentPort as MessagePort;
const settings = workerData as ViewSettings;
const { principal } = settings;
const reply = (message: ViewReply): void => port.postMessage(message);
const asking = new Asking(reply);
const received: RecordedEntry[] = [];
let goOn: () => void = () => undefined;

type Parts = Omit<ViewText, 'at'>[];

/** The texts that were read, by the id of the answer that had them. */
class ReadTexts {
  readonly #texts = new Map<string, Parts>();

  readonly add: NonNullable<MemoryOptions['onRead']> = (recordId, { quoted: { parts } }, { id, server, tool }) => {
    const own = id.replace(/-bare$/, '');
    const texts = this.#texts.get(own) ?? [];
    this.#texts.set(own, texts);
    for (const [index, { classified }] of parts.entries()) {
      const { limited, verdict } = classified;
      texts.push({
        type: 'text',
        id: partName(recordId, index),
        name: tool ?? server,
        text: limited.text,
        spans: (verdict.type === 'checked' ? verdict.spans : []).map(({ start, end, tag, likelihood }) => ({
          start,
          end,
          tag,
          likelihood,
          ...(likelihood === 'none'
            ? {}
            : { finding: findingId(principal.name, { server, tag, text: limited.text.slice(start, end) }) }),
        })),
        ...(own === id ? {} : { isUnframed: true }),
      });
    }
  };

  /** The texts of an answer, once. */
  take(id: string): Parts {
    const texts = this.#texts.get(id) ?? [];
    this.#texts.delete(id);
    return texts;
  }
}

function verdictOf({ outcome, rule, cell }: Verdict): ViewCall['proposed'] & object {
  return { outcome, rule, ...(cell === undefined ? {} : { cell }) };
}

function callOf({ at, wasMade, call }: RecordedCall, verdict: Verdict, proposed: Verdict | undefined): ViewCall {
  const [server = '', ...tool] = call.tool.split('.');
  const { decision } = verdict;
  return {
    type: 'call',
    id: call.id,
    at,
    server,
    tool: tool.join('.'),
    ...(decision && { effect: decision.effect }),
    arguments: JSON.stringify(call.arguments) ?? 'null',
    wasMade,
    ...verdictOf(verdict),
    reason: decision?.reason ?? 'The policy does not offer this tool.',
    values: decision === undefined ? [] : shownValues(decision),
    ...(proposed && { proposed: verdictOf(proposed) }),
  };
}

function lengthOf(entry: ViewEntry): number {
  return entry.type === 'text' ? entry.text.length : entry.arguments.length + entry.values.length * 100;
}

/** Plays the conversation again: what was read in its order, and each call as it would be decided now. */
async function* played(): AsyncGenerator<ViewEntry | 'cut'> {
  const { active, proposed, conversation, until } = settings;
  const entries = received.sort((one, other) => one.place - other.place);
  const [shown, texts] = [logName(conversation), new ReadTexts()];
  let place = 0;
  const options = { log: logUntil(entries, () => place), ask: asking.ask };
  const now = await RecordedCalls.under(active, principal, settings, { ...options, onRead: texts.add });
  const other = proposed && (await RecordedCalls.under(proposed, principal, settings, options));
  for (const entry of entries) {
    if (Date.now() >= until) {
      yield 'cut';
      return;
    }
    const call = callIn(entry);
    if (call?.conversation === conversation && call !== undefined) {
      place = call.place;
      yield callOf(call, await now.judge(call), await other?.judge(call));
    } else if (entry.conversation === shown) {
      place = entry.place + 1;
      await now.readOn(conversation);
      const { id } = fieldsOf(fieldsOf(readEntry(entry.text)).entry);
      for (const text of texts.take(String(id))) yield { ...text, at: entry.at ?? 0 };
    }
  }
}

async function send(entries: readonly ViewEntry[]): Promise<void> {
  const passedOn = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  reply({ type: 'portion', entries });
  await passedOn;
}

async function view(): Promise<boolean> {
  let [portion, length]: [ViewEntry[], number] = [[], 0];
  let isCut = false;
  for await (const entry of played()) {
    if (entry === 'cut') {
      isCut = true;
      break;
    }
    portion.push(entry);
    length += lengthOf(entry);
    if (length < PORTION) continue;
    await send(portion);
    [portion, length] = [[], 0];
  }
  if (portion.length > 0) await send(portion);
  return isCut;
}

// On Linux this is the priority of this thread; elsewhere it would be that of the process.
if (process.platform === 'linux') setPriority(NICENESS);

port.on('message', (order: ViewOrder) => {
  if (order.type === 'entries') received.push(...order.entries);
  else if (order.type === 'more') goOn();
  else if (order.type === 'answer') asking.answer(order);
  else
    void view().then(
      (isCut) => reply({ type: 'viewed', isCut }),
      (cause: unknown) => reply({ type: 'failed', error: errorText(cause) }),
    );
});
