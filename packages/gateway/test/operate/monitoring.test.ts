import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createMetrics } from '../../src/operate/metrics.ts';

const METRIC = /\bsallyport_[a-z0-9_]+/g;

test.each(['alerts.yaml', 'alerts.test.yaml', 'dashboard.json'])(
  'every metric in monitoring/%s is one that a replica has',
  async (file) => {
    const metrics = createMetrics();
    metrics.watchThreads({ bytes: 0, characters: 0 });
    metrics.watchUpstreams(() => ({ calls: 0, streams: 0 }));
    metrics.request('mcp', 200, 1);
    const { body } = await metrics.text();
    const known = new Set([...body.matchAll(METRIC)].map(([name]) => name));
    const text = readFileSync(new URL(`../../monitoring/${file}`, import.meta.url), 'utf8');
    const named = new Set([...text.matchAll(METRIC)].map(([name]) => name));
    expect(named.size).toBeGreaterThan(5);
    expect([...named].filter((name) => !known.has(name))).toEqual([]);
  },
);
