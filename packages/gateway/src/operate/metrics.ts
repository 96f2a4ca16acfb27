import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** What is counted. Labels have few values, and none that a stranger chooses: no tool, no principal, no workspace. */
export interface Metrics {
  /** The text that Prometheus reads. */
  text(): Promise<{ readonly type: string; readonly body: string }>;
  request(route: string, status: number, seconds: number): void;
  call(outcome: string, rule: string): void;
  failure(code: string): void;
  /** Requests that are under way. */
  open(change: 1 | -1): void;
}

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry, prefix: 'sallyport_' });
  const requests = new Histogram({
    name: 'sallyport_request_seconds',
    help: 'Requests over HTTP, by route and status, until the head of the answer.',
    labelNames: ['route', 'status'],
    buckets: SECONDS,
    registers,
  });
  const calls = new Counter({
    name: 'sallyport_calls_total',
    help: 'Calls of tools that were judged, by outcome and rule.',
    labelNames: ['outcome', 'rule'],
    registers,
  });
  const failures = new Counter({
    name: 'sallyport_failures_total',
    help: 'What nobody expected, by code.',
    labelNames: ['code'],
    registers,
  });
  const open = new Gauge({ name: 'sallyport_open_requests', help: 'Requests that are under way.', registers });
  return {
    text: async () => ({ type: registry.contentType, body: await registry.metrics() }),
    request: (route, status, seconds) => requests.observe({ route, status: String(status) }, seconds),
    call: (outcome, rule) => calls.inc({ outcome, rule }),
    failure: (code) => failures.inc({ code }),
    open: (change) => (change === 1 ? open.inc() : open.dec()),
  };
}
