import { describe, expect, it } from 'vitest';
import { type ProxyOptions, redactExcerpt, type Structured } from '../src/index.ts';
import { Rig, SEND } from './fixture/rig.ts';

const PIN = 'PIN-4711';
const redact = (text: string): string => text.replaceAll(PIN, '[removed]');
const FILE = Buffer.from(`a file with ${PIN} in it`).toString('base64');

/** What a server may answer a call or the reading of a resource with. */
const ANSWERS: readonly { title: string; origin: string; payload: Readonly<Record<string, unknown>> }[] = [
  {
    title: 'a text',
    origin: 'tools/call',
    payload: { result: { content: [{ type: 'text', text: `It is ${PIN} today` }] } },
  },
  { title: 'a short text', origin: 'tools/call', payload: { result: { content: [{ type: 'text', text: PIN }] } } },
  {
    title: 'structured content',
    origin: 'tools/call',
    payload: { result: { content: [], structuredContent: { note: PIN, list: [{ deep: `It is ${PIN} today` }] } } },
  },
  {
    title: 'names of structured content',
    origin: 'tools/call',
    payload: { result: { content: [], structuredContent: { [PIN]: 1, [`${PIN}${PIN}`]: 2 } } },
  },
  {
    title: 'an error of the tool',
    origin: 'tools/call',
    payload: { result: { isError: true, content: [{ type: 'text', text: `Wrong: ${PIN}` }] } },
  },
  {
    title: 'an error of the protocol',
    origin: 'tools/call',
    payload: { error: { code: -32000, message: `Wrong: ${PIN}`, data: { PIN } } },
  },
  { title: '_meta', origin: 'tools/call', payload: { result: { content: [], _meta: { pin: PIN } } } },
  {
    title: 'a resource',
    origin: 'resources/read',
    payload: { result: { contents: [{ uri: 'file:///a', text: `x=${PIN}` }] } },
  },
  {
    title: 'a resource in base64',
    origin: 'resources/read',
    payload: { result: { contents: [{ uri: 'file:///a', blob: FILE }] } },
  },
  {
    title: 'the address of a resource',
    origin: 'resources/read',
    payload: { result: { contents: [{ uri: `file:///${PIN}`, text: '' }] } },
  },
];

const WAYS: readonly Partial<ProxyOptions>[] = [
  { structured: 'typed' },
  { structured: 'text-only' },
  { structured: 'keep' },
  { mode: 'annotate' },
];

async function answered(options: Partial<ProxyOptions>, method: string, payload: object): Promise<string> {
  const rig = new Rig({ redact, ...options });
  await rig.list([SEND]);
  const params = method === 'tools/call' ? { name: 'send', arguments: { to: 'x' } } : { uri: 'file:///a' };
  return rig.ask(method, payload as never, params);
}

describe.each(WAYS)('what is redacted does not reach the client: %j', (options) => {
  it.each(ANSWERS)('$title', async ({ origin, payload }) => {
    expect(JSON.stringify(payload).includes(PIN) || JSON.stringify(payload).includes(FILE)).toBe(true);
    const text = await answered(options, origin, payload);
    expect(text).not.toContain('4711');
    expect(text).not.toContain(FILE);
    expect(text).not.toContain(FILE.slice(16, 28));
  });
});

it('a notification and a message of a batch are redacted too', async () => {
  const rig = new Rig({ redact });
  const message = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: `It is ${PIN}` } };
  await rig.proxy.fromServer(JSON.stringify(message), rig.wires);
  await rig.proxy.fromServer(JSON.stringify([message]), rig.wires);
  expect(rig.client).toHaveLength(2);
  for (const text of rig.client) expect(text).toContain('[removed]');
});

it('a file stays a file of the same other bytes', async () => {
  const text = await answered({ structured: 'keep' as Structured }, 'resources/read', {
    result: { contents: [{ uri: 'file:///a', blob: FILE }] },
  });
  const { blob } = (JSON.parse(text) as { result: { contents: [{ blob: string }] } }).result.contents[0];
  expect(Buffer.from(blob, 'base64').toString()).toBe('a file with [removed] in it');
});

it('without the option nothing changes', async () => {
  const rig = new Rig();
  await rig.list([SEND]);
  const result = { content: [{ type: 'text', text: PIN }] };
  expect(await rig.ask('tools/call', { result }, { name: 'send', arguments: { to: 'x' } })).toContain(PIN);
});

describe('an excerpt', () => {
  it('loses what is redacted, wherever it is divided', () => {
    const whole = `the pin is ${PIN} today`;
    for (let at = 0; at < whole.length; at++) {
      const excerpt = { before: whole.slice(0, at), match: whole.slice(at, at + 3), after: whole.slice(at + 3) };
      expect(Object.values(redactExcerpt(excerpt, redact)).join('')).toBe('the pin is [removed] today');
    }
  });

  it('loses what may be half of a secret at its edges, and lines of a key', () => {
    const line = 'aB3'.repeat(20);
    const cut = { before: `${'x1'.repeat(12)} and ${line} then `, match: 'this', after: ` and ${'y2'.repeat(12)}` };
    expect(redactExcerpt(cut, redact)).toEqual({
      before: '\u2026 and \u2026 then ',
      match: 'this',
      after: ' and \u2026',
    });
  });
});
