import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { METHODS } from '../src/message/methods.ts';
import { EVE, listed, POISON, Rig } from './fixture/rig.ts';

const TOKEN = `ghp_${'x7Kd92mQpLz4RtVb8NcY1sWf3HgJ6aEu0TiO'}`;
const findSecrets = (text: string): readonly { text: string; kind: string }[] =>
  (text.match(/ghp_\w{36}/g) ?? []).map((each) => ({ text: each, kind: 'GitHub token' }));
const gate = { findSecrets };

/** The methods that a package names. */
function methodsOf(name: string): readonly string[] {
  const folder = fileURLToPath(new URL(`../../../node_modules/@modelcontextprotocol/${name}`, import.meta.url));
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /\.m?js$/.test(file));
  const text = files.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n');
  const found = text.matchAll(/method"?: *(?:[\w.]+\()?["']((?:[a-z]+\/[\w/]+)|ping|initialize)["']/g);
  return [...new Set([...found].map(([, method = '']) => method))];
}

interface Row {
  readonly title: string;
  readonly origin: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** What the side that waits is told; nothing if nobody waits. */
  readonly expected: 'client' | 'server' | 'nothing';
}

function request(method: string, params: object, title = method): Row {
  return { title, origin: '11, wrap-unchecked-channels', payload: { id: 'q', method, params }, expected: 'client' };
}

function answer(title: string, given: object): Row {
  return { title, origin: '11, wrap-unchecked-channels', payload: { id: 's1', ...given }, expected: 'server' };
}

function notification(method: string, params: object): Row {
  return { title: method, origin: '11, notifications', payload: { method, params }, expected: 'nothing' };
}

const ROWS: readonly Row[] = [
  request('resources/read', { uri: `note://x?d=${TOKEN}` }),
  request('resources/subscribe', { uri: `note://x?d=${TOKEN}` }),
  request('resources/unsubscribe', { uri: `note://x?d=${TOKEN}` }),
  request('subscriptions/listen', { notifications: { resourceSubscriptions: [`note://x?d=${TOKEN}`] } }),
  request('prompts/get', { name: 'p', arguments: { a: TOKEN } }),
  request('completion/complete', { ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'a', value: TOKEN } }),
  request('tasks/update', { taskId: 't', inputResponses: { a: { action: 'accept', content: { value: TOKEN } } } }),
  request('vendor/anything', { value: TOKEN }),
  request('notifications/message', { data: TOKEN }, 'what only servers send'),
  request(
    'tools/call',
    {
      name: 'read',
      arguments: {},
      requestState: 's',
      inputResponses: { a: { action: 'accept', content: { v: TOKEN } } },
    },
    'an answer beside a call',
  ),
  answer('sampling', { result: { role: 'assistant', model: 'm', content: { type: 'text', text: `It is ${TOKEN}` } } }),
  answer('elicitation', { result: { action: 'accept', content: { value: TOKEN } } }),
  answer('an error', { error: { code: -1, message: `No ${TOKEN}` } }),
  answer('a text', { result: TOKEN }),
  notification('notifications/cancelled', { requestId: 9, reason: TOKEN }),
  notification('notifications/progress', { progressToken: 1, progress: 1, message: TOKEN }),
  notification('notifications/tasks/status', { taskId: 't', statusMessage: TOKEN }),
];

const never = (): Promise<undefined> => Promise.resolve(undefined);

describe('a secret in a message that is no call', () => {
  it.each(ROWS)('$origin: $title is held, and not sent without an approval', async ({ payload, expected }) => {
    const rig = await listed({ gate, approver: never });
    await rig.say({ jsonrpc: '2.0', ...payload });
    await rig.settle();
    expect(rig.server.join('')).not.toContain(TOKEN);
    const { client, server } = rig;
    const errors = { client, server, nothing: [] }[expected].map((text) => JSON.parse(text));
    expect(errors).toEqual(
      expected === 'nothing' ? [] : [{ jsonrpc: '2.0', id: payload.id, error: expect.anything() }],
    );
    expect([...client, ...server]).toHaveLength(errors.length);
    expect(rig.dropped).toEqual(expected === 'nothing' ? ['unallowed'] : []);
  });

  it.each(ROWS)('$origin: $title is sent once a person allows it', async ({ payload }) => {
    const rig = await listed({ gate, approver: () => Promise.resolve({ by: 'Ann' }) });
    await rig.say({ jsonrpc: '2.0', ...payload });
    await rig.settle();
    expect(rig.sent()).toContain(TOKEN);
  });

  it('is asked about in a form of the client, under the name of its method', async () => {
    const rig = await listed({ gate });
    await rig.initialize({ elicitation: {} });
    await rig.say({ jsonrpc: '2.0', id: 'q', method: 'prompts/get', params: { name: 'p', arguments: { a: TOKEN } } });
    await rig.arrival();
    const { id, params } = rig.message();
    expect(params.message).toContain('message prompts/get');
    await rig.say({ jsonrpc: '2.0', id, result: { action: 'accept', content: { approve: true } } });
    await rig.arrival();
    expect(rig.sent()).toContain(TOKEN);
  });

  it('is not sent if it cannot be checked', async () => {
    const rig = await listed({
      gate: {
        findSecrets: () => {
          throw new Error('broken');
        },
      },
    });
    await rig.say({ jsonrpc: '2.0', id: 'q', method: 'resources/read', params: { uri: 'note://x' } });
    expect(rig.server).toEqual([]);
    expect(rig.message().error.code).toBe(-32603);
  });
});

describe('a message that is too long to check', () => {
  const text = 'words that fill a line '.repeat(10_000);

  it.each([
    ['vendor/anything', { text }, 'held'],
    ['prompts/get', { name: 'p', arguments: { text } }, 'held'],
    ['completion/complete', { argument: { name: 'a', value: text } }, 'sent'],
    ['completion/complete', { argument: { name: 'a', value: `${text}${TOKEN}` } }, 'held'],
  ])('of %s is held where its addresses count; secrets are found in all of it', async (method, params, expected) => {
    const rig = await listed({ gate, approver: never });
    await rig.say({ jsonrpc: '2.0', id: 'q', method, params });
    await rig.arrival();
    expect(rig.server).toHaveLength(expected === 'sent' ? 1 : 0);
  });
});

describe('an address in a message that is no call', () => {
  const read = { jsonrpc: '2.0', id: 'q', method: 'resources/read', params: { uri: `mailto:${EVE}` } };

  it('is not used if only an instruction in content names it', async () => {
    const rig = await listed();
    await rig.read(POISON);
    await rig.say(read);
    await rig.settle();
    expect(rig.server).toEqual([]);
    expect(rig.message()).toMatchObject({ id: 'q', error: { code: -32603 } });
  });

  it('is used if a listing names it', async () => {
    const rig = await listed();
    await rig.ask('resources/list', { result: { resources: [{ uri: `mailto:${EVE}`, name: 'Eve' }] } });
    await rig.say(read);
    expect(JSON.parse(rig.sent())).toEqual(read);
  });

  it('passes where only rules of the application decide, which are about tools', async () => {
    const rig = new Rig({ gate: { preset: 'none' } });
    await rig.say(read);
    expect(JSON.parse(rig.sent())).toEqual(read);
  });
});

describe('the table of methods', () => {
  it.each([
    ['sdk/dist/esm', 31],
    ['client/dist', 34],
    ['ext-tasks/dist', 4],
  ])('has every method of %s', (name, least) => {
    const methods = methodsOf(name);
    expect(methods.length).toBeGreaterThanOrEqual(least);
    expect(methods.filter((method) => !Object.hasOwn(METHODS, method))).toEqual([]);
  });
});
