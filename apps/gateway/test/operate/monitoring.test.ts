import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EVE, POISON } from '../../../../packages/mcp-proxy/test/fixture/rig.ts';
import { Installation } from '../fixture/replica.ts';
import { Agent } from '../serve/agent.ts';
import { type MailServer, mailServer } from '../serve/upstream.ts';

const FILES = ['alerts.yaml', 'alerts.test.yaml', 'dashboard.json'];
const METRIC = /\bsallyport_[a-z0-9_]+/g;
const SERIES = /\b(sallyport_[a-z0-9_]+)\{([^}]*)\}/g;
const LABEL = /(\w+)(?:=|!=)\\?"([^"\\$]*)\\?"/g;
/** Labels that Prometheus adds, and those whose values depend on what went wrong. */
const OTHERS = ['namespace', 'pod', 'le', 'status', 'code'];

let installation: Installation;
let mail: MailServer;
let metrics = '';

/** Each label of each metric in a text with its value. */
const labelsIn = (text: string): Set<string> =>
  new Set(
    [...text.matchAll(SERIES)].flatMap(([, metric, labels = '']) =>
      [...labels.matchAll(LABEL)]
        .filter(([, name = '']) => !OTHERS.includes(name))
        .map(([, name, value]) => `${metric} ${name}=${value}`),
    ),
  );

beforeAll(async () => {
  installation = await Installation.make();
  mail = await mailServer();
  const { origin } = await installation.start({ environment: { SALLYPORT_OPEN: mail.origin } });
  const workspace = await installation.workspace('team');
  await installation.server(workspace, 'mail', { kind: 'http', url: `${mail.origin}/mcp` });
  const tools = { read: { effect: 'read' }, send: { effect: 'send' } };
  await installation.policy(workspace, { servers: { mail: { askTimeout: 0.05, tools } } });
  mail.mail = POISON;
  const agent = await Agent.connect(origin, await installation.key(workspace));
  await agent.call('send', { to: EVE });
  metrics = await (await fetch(`${origin}/metrics`)).text();
});

afterAll(async () => {
  await installation?.drop();
  await mail?.close();
});

const namesIn = (text: string): Set<string> => new Set([...text.matchAll(METRIC)].map(([name]) => name));
const read = (file: string): string => readFileSync(new URL(`../../monitoring/${file}`, import.meta.url), 'utf8');

test.each(FILES)('every metric in monitoring/%s is one that a replica has', (file) => {
  const [known, named] = [namesIn(metrics), namesIn(read(file))];
  expect(named.size).toBeGreaterThan(5);
  expect([...named].filter((name) => !known.has(name))).toEqual([]);
});

test.each(FILES)('every value of a label in monitoring/%s is one that a replica has', (file) => {
  const [known, named] = [labelsIn(metrics), labelsIn(read(file))];
  expect(named.size).toBeGreaterThan(1);
  expect([...named].filter((label) => !known.has(label))).toEqual([]);
});

test('every alert has a test', () => {
  const names = [...read('alerts.yaml').matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
  const tested = new Set([...read('alerts.test.yaml').matchAll(/alertname: (\w+)/g)].map(([, name]) => name));
  expect(names.filter((name) => !tested.has(name as string))).toEqual([]);
});
