import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openRig, type Rig, type World } from './rig.ts';

let rig: Rig;
let mine: World;
let version = 1;

beforeAll(async () => {
  rig = await openRig();
  mine = await rig.world('mine');
});

afterAll(() => rig.close());

/** Puts a policy with these options, and returns the status and what the answer says. */
async function put(body: unknown, options: object = {}): Promise<readonly [status: number, text: string]> {
  const answer = await rig.ask('PUT', '/policy', { key: mine.key, body: { version, body, ...options } });
  if (answer.status === 200) version = (answer.body as { version: number }).version;
  return [answer.status, JSON.stringify(answer.body)];
}

const TAGS = [
  'imperative',
  'exfiltration',
  'role-override',
  'system-prompt-shaped',
  'tool-invocation-shaped',
  'concealment',
  'answer-steering',
  'obfuscated',
];

describe('a policy', () => {
  test.each(TAGS)('cannot set the threshold of %s to high', async (tag) => {
    const [status, text] = await put({ thresholds: { [tag]: 'high' } });
    expect([status, text]).toEqual([422, expect.stringContaining("below 'high'")]);
  });

  test('cannot hide known attacks, or spans that were reported as attacks', async () => {
    expect(await put({ thresholds: { exfiltration: 'medium' } })).toEqual([
      409,
      expect.stringContaining('known attacks'),
    ]);
    expect((await put({ thresholds: { obfuscated: 'medium', exfiltration: 'low' } }))[0]).toBe(200);
    const finding = await rig.find(mine.workspace, 'ann', { server: mine.server, tag: 'obfuscated', text: 'SWdub3Jl' });
    await rig.ask('POST', '/feedback', { key: mine.key, body: { finding, verdict: 'attack' } });
    expect(await put({ thresholds: { obfuscated: 'medium' } })).toEqual([
      409,
      expect.stringContaining('reported as an attack'),
    ]);
  });

  test.each([
    ['preset', 'strict'],
    ['limit', 10],
    ['thresholds', { imperative: 'low' }],
  ])('cannot have %s for one server, where it would have no effect', async (name, value) => {
    const [status, text] = await put({ servers: { [mine.server]: { [name]: value } } });
    expect([status, text]).toEqual([422, expect.stringContaining(`all servers share \`${name}\``)]);
  });

  test('cannot let an instruction in content decide alone, for all tools or for one', async () => {
    const table = { send: { instructed: 'allow' } };
    for (const body of [{ table }, { servers: { [mine.server]: { tools: { send: { table } } } } }])
      expect(await put(body)).toEqual([422, expect.stringContaining('must not decide alone')]);
    expect((await put({ table: { send: { content: 'deny', instructed: 'ask' } } }))[0]).toBe(200);
  });

  test.each([
    [{ presett: 'strict' }, 'did you mean `preset`?'],
    [{ table: { sent: {} } }, 'did you mean `send`?'],
    [{ table: { send: { contents: 'ask' } } }, 'did you mean `content`?'],
    [{ table: { send: { unheard: { content: 'ask' } } } }, 'use one of trusted, model, content, instructed'],
    [{ servers: { 'mine-mail': { trustd: true } } }, 'did you mean `trusted`?'],
    [{ groups: { finance: { server: {} } } }, 'did you mean `servers`?'],
    [{ table: { send: { content: 'hold' } } }, 'must be one of allow, ask, deny'],
  ])('like %j is refused with the nearest name', async (body, expected) => {
    expect(await put(body)).toEqual([422, expect.stringContaining(expected)]);
  });

  test('names only servers and tools that exist, unless unknown ones are allowed', async () => {
    await rig.pinTool(mine.workspace, mine.server, 'send_mail');
    const cases = [
      [{ servers: { 'mine-mial': {} } }, 'servers names the unknown server mine-mial, did you mean mine-mail?'],
      [
        { groups: { finance: { servers: { 'mine-mial': {} } } } },
        'groups.finance.servers names the unknown server mine-mial, did you mean mine-mail?',
      ],
      [
        { servers: { 'mine-mail': { tools: { send_mial: { effect: 'send' } } } } },
        'servers.mine-mail names the unknown tool send_mial, did you mean send_mail?',
      ],
      [{ servers: { 'mine-mail': { hide: ['send_mial'] } } }, 'did you mean send_mail?'],
      // Nothing is like it.
      [{ servers: { calendar: {} } }, 'servers names the unknown server calendar: correct the names'],
    ] as const;
    for (const [body, expected] of cases) expect(await put(body)).toEqual([422, expect.stringContaining(expected)]);
    expect((await put({ servers: { 'mine-mail': { hide: ['send_*'], tools: { send_mail: {} } } } }))[0]).toBe(200);
    expect((await put({ servers: { later: {} } }, { allowUnknown: true }))[0]).toBe(200);
    // What the policy already names can stay.
    expect((await put({ servers: { later: { trusted: true } } }))[0]).toBe(200);
    expect((await put({}))[0]).toBe(200);
  });
});
