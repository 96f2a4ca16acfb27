import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

const ENDED = ['overrun', 'crashed'] as const;
const SHED = ['delay', 'bytes', 'share', 'values', 'upstream'] as const;

/** Why a request was refused: a late event loop, bytes of all or of one principal, values of one message, or requests to one server. */
type ShedReason = (typeof SHED)[number];

/** The services that a replica needs to be ready. */
type Readiness = Readonly<Record<'database' | 'anchors', boolean>>;

/** The metrics of a replica. Labels have few values, none of which a caller chooses: no tool, principal or workspace. */
export interface Metrics {
  /** The metrics in the Prometheus text format. */
  text(): Promise<{ readonly type: string; readonly body: string }>;
  request(route: string, status: number, seconds: number): void;
  call(outcome: string, rule: string): void;
  failure(code: string): void;
  /** Counts a thread that was ended. */
  threadEnded(reason: (typeof ENDED)[number]): void;
  /** Counts a request that was refused because the replica has too much to do. */
  shed(reason: ShedReason): void;
  /** Shows what the threads do whenever the metrics are read. */
  watchThreads(threads: { readonly bytes: number; readonly characters: number }): void;
  /** Shows what is open towards servers whenever the metrics are read. */
  watchUpstreams(open: () => { readonly calls: number; readonly streams: number }): void;
  /** Shows whether the replica is ready whenever the metrics are read. */
  watchReadiness(read: () => Promise<Readiness>): void;
  /** Counts a request that begins or ends. */
  open(change: 1 | -1): void;
}

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry, prefix: 'sallyport_' });
  const requests = new Histogram({
    name: 'sallyport_request_seconds',
    help: 'HTTP requests by route and status, until the head of the response is sent.',
    labelNames: ['route', 'status'],
    buckets: SECONDS,
    registers,
  });
  const calls = new Counter({
    name: 'sallyport_calls_total',
    help: 'Tool calls that the gateway decided on, by outcome and rule.',
    labelNames: ['outcome', 'rule'],
    registers,
  });
  const failures = new Counter({
    name: 'sallyport_failures_total',
    help: 'Unexpected failures, by error code.',
    labelNames: ['code'],
    registers,
  });
  const open = new Gauge({ name: 'sallyport_open_requests', help: 'HTTP requests in progress.', registers });
  const threads = new Counter({
    name: 'sallyport_threads_ended_total',
    help: 'Threads that were ended: one message took too long (overrun), or the thread failed (crashed).',
    labelNames: ['reason'],
    registers,
  });
  const shed = new Counter({
    name: 'sallyport_shed_total',
    help: 'Requests that were refused because the replica has too much to do, by reason.',
    labelNames: ['reason'],
    registers,
  });
  // A series that begins with its first event would hide that event from rate() and increase().
  for (const reason of ENDED) threads.inc({ reason }, 0);
  for (const reason of SHED) shed.inc({ reason }, 0);
  return {
    threadEnded: (reason) => threads.inc({ reason }),
    shed: (reason) => shed.inc({ reason }),
    watchThreads: (watched) => {
      const gauge = (name: string, help: string, read: () => number): void => {
        new Gauge({
          name,
          help,
          registers,
          collect() {
            this.set(read());
          },
        });
      };
      gauge('sallyport_checking_characters', 'Characters of messages that are being checked.', () => watched.bytes);
      gauge('sallyport_remembered_characters', 'Characters that conversations remember.', () => watched.characters);
    },
    watchUpstreams: (open) => {
      new Gauge({
        name: 'sallyport_upstream_open',
        help: 'Requests to HTTP servers whose answers have not ended, by kind.',
        labelNames: ['kind'],
        registers,
        collect() {
          for (const [kind, count] of Object.entries(open())) this.set({ kind }, count);
        },
      });
    },
    watchReadiness: (read) => {
      new Gauge({
        name: 'sallyport_ready',
        help: 'Whether a part that calls need works: 1 or 0. /ready is 503 if one does not.',
        labelNames: ['part'],
        registers,
        async collect() {
          for (const [part, isReady] of Object.entries(await read())) this.set({ part }, Number(isReady));
        },
      });
    },
    text: async () => ({ type: registry.contentType, body: await registry.metrics() }),
    request: (route, status, seconds) => requests.observe({ route, status: String(status) }, seconds),
    call: (outcome, rule) => calls.inc({ outcome, rule }),
    failure: (code) => failures.inc({ code }),
    open: (change) => (change === 1 ? open.inc() : open.dec()),
  };
}
