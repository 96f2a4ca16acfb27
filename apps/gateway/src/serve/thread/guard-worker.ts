import { AsyncLocalStorage } from 'node:async_hooks';
import { setPriority } from 'node:os';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { spanClassifier } from '@sallyport/classifier';
import { type McpProxy, offered, type Wires } from '@sallyport/mcp-proxy';
import { createJournal } from '../guard/journal.ts';
import { PrincipalGuards } from '../guard/principal-guards.ts';
import { withThresholds } from '../guard/thresholds.ts';
import {
  type ConnectionState,
  errorOf,
  errorText,
  type Order,
  type PrincipalSettings,
  type Report,
  type WorkerSettings,
} from './messages.ts';
import {
  type AskOptions,
  approvalsOver,
  approverOver,
  auditOver,
  cacheOver,
  claimOver,
  classifierOver,
  logOver,
  pinsOver,
  refusedOver,
  spansOver,
} from './services.ts';
import { Turns } from './turns.ts';

type OrderOf<Type extends Order['type']> = Extract<Order, { type: Type }>;

interface Asked {
  readonly resolve: (value: unknown) => void;
  readonly reject: (cause: Error) => void;
  readonly onShow: ((form: string) => void) | undefined;
}

/** Milliseconds of work that are reported at once. Shorter turns are added up. */
const REPORTED = 20;
/** Milliseconds from which a turn holds up others. Many short ones do not: the orders of others come in between. */
const LONG = 50;

const port = parentPort as MessagePort;
const settings = workerData as WorkerSettings;
const principals = new Map<number, PrincipalGuards>();
const connections = new Map<number, McpProxy>();
const asked = new Map<number, Asked>();
const used = new Map<number, number>();
/** The connection that the current work belongs to. */
const current = new AsyncLocalStorage<number>();
let questions = 0;

function report(message: Report): void {
  port.postMessage(message);
}

const turns = new Turns(settings.turn, (principal, milliseconds) => {
  const total = (used.get(principal) ?? 0) + milliseconds;
  used.set(principal, total);
  if (total < REPORTED) return;
  used.delete(principal);
  report({
    type: 'used',
    principal,
    milliseconds: milliseconds < LONG ? 0 : milliseconds,
    characters: principals.get(principal)?.characters ?? 0,
  });
});

function ask(
  principal: number,
  service: string,
  given: readonly unknown[],
  { signal, onShow }: AskOptions = {},
): Promise<unknown> {
  const id = ++questions;
  const answer = new Promise((resolve, reject) => asked.set(id, { resolve, reject, onShow }));
  report({ type: 'ask', id, principal, connection: current.getStore(), service, given });
  const cancel = (): void => report({ type: 'cancel', id });
  signal?.addEventListener('abort', cancel, { once: true });
  return answer.finally(() => {
    signal?.removeEventListener('abort', cancel);
    asked.delete(id);
  });
}

function guardsOf(number: number, given: PrincipalSettings): PrincipalGuards {
  const askMain = (service: string, values: readonly unknown[], options?: AskOptions): Promise<unknown> =>
    ask(number, service, values, options);
  const classifier = settings.classifier === undefined ? spanClassifier : classifierOver(askMain, settings.classifier);
  const { principal, key, policy, thresholds, isAudited, maxRead, maxReadTotal } = given;
  return new PrincipalGuards({
    principal,
    key,
    policy,
    classifier: withThresholds(classifier, new Map(thresholds)),
    cache: cacheOver(askMain),
    log: logOver(askMain),
    journal: isAudited ? createJournal(principal, auditOver(askMain), refusedOver(askMain)) : undefined,
    pins: (server) => pinsOver(askMain, server),
    approver: (revision) => approverOver(askMain, revision),
    approvals: approvalsOver(askMain),
    claim: claimOver(askMain),
    onSpans: spansOver(askMain),
    maxRead,
    maxReadTotal,
  });
}

function stateOf({ isSettled, canElicit }: McpProxy): ConnectionState {
  return { isSettled, canElicit };
}

function wiresOf(connection: number, id: number, proxy: McpProxy): Wires {
  const send = (to: 'client' | 'server', text: string): void =>
    report({ type: 'sent', connection, id, to, text, state: stateOf(proxy) });
  return { toClient: (text) => send('client', text), toServer: (text) => send('server', text) };
}

function connect({ principal, connection, server, settings: given }: OrderOf<'connect'>): void {
  const guard = principals.get(principal)?.get(server);
  if (guard === undefined) return;
  const isCurrent = (): Promise<boolean> =>
    current.run(connection, () => ask(principal, 'isCurrent', []) as Promise<boolean>);
  const { lists = [{}], ...options } = given;
  const offers = lists.map(offered);
  const isOffered = (tool: string): boolean => offers.some((isListed) => isListed(tool));
  connections.set(connection, guard.connect({ ...options, isCurrent, isOffered }));
}

function proxyOf(connection: number): McpProxy {
  const proxy = connections.get(connection);
  if (proxy === undefined) throw new Error('The connection does not exist.');
  return proxy;
}

async function handle({ id, connection, from, text }: OrderOf<'message'>): Promise<unknown> {
  const proxy = proxyOf(connection);
  const wires = wiresOf(connection, id, proxy);
  return current.run(connection, () =>
    from === 'client' ? proxy.fromClient(text, wires) : proxy.fromServer(text, wires),
  );
}

function abandon({ id, connection, message }: OrderOf<'abandon'>): void {
  const proxy = proxyOf(connection);
  proxy.abandon(message, wiresOf(connection, id, proxy));
}

/** Does what an order says, and reports how it ended. */
async function answer(id: number, connection: number | undefined, work: () => unknown): Promise<void> {
  const end = await Promise.resolve()
    .then(work)
    .then(
      (value) => ({ value }),
      (cause: unknown) => ({ error: errorText(cause) }),
    );
  const proxy = connection === undefined ? undefined : connections.get(connection);
  report({
    type: 'done',
    id,
    ...end,
    ...(connection === undefined ? {} : { connection }),
    ...(proxy === undefined ? {} : { state: stateOf(proxy) }),
  });
}

function takeAnswer({ id, value, error }: OrderOf<'answer'>): void {
  const question = asked.get(id);
  if (error === undefined) question?.resolve(value);
  else question?.reject(errorOf(error));
}

function obey(order: Order): unknown {
  switch (order.type) {
    case 'open':
      return principals.set(order.principal, guardsOf(order.principal, order.settings));
    case 'guard':
      return answer(order.id, undefined, () =>
        principals.get(order.principal)?.set(order.server, order.revision, order.policy),
      );
    case 'connect':
      return connect(order);
    case 'message':
      return answer(order.id, order.connection, () => handle(order));
    case 'abandon':
      return answer(order.id, order.connection, () => abandon(order));
    case 'settle':
      return connections.get(order.connection)?.close();
    case 'close':
      connections.get(order.connection)?.close();
      return connections.delete(order.connection);
    case 'drop':
      return principals.delete(order.principal);
    case 'answer':
      return takeAnswer(order);
    case 'show':
      return asked.get(order.id)?.onShow?.(order.form);
  }
}

// On Linux this is the priority of this thread; elsewhere it would be that of the process.
if (process.platform === 'linux') setPriority(settings.niceness);

port.on('message', (order: Order) => {
  turns.begin(order.principal);
  obey(order);
});
