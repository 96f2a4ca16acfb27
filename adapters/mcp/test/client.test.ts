import type { Client as Client2 } from '@modelcontextprotocol/client';
import type { Conversation, Decision } from '@sallyport/core';
import { afterEach, describe, expect, test } from 'vitest';
import { META, protect } from '../src/index.ts';
import { openConversation } from './fixture/conversation.ts';
import { EVIL, GONE, NOTE, POISON } from './fixture/mail.ts';
import { type Called, type Host, RIGS, stdio2 } from './fixture/rig.ts';

const open: Host[] = [];

afterEach(async () => {
  for (const { client } of open.splice(0)) await client.close();
});

interface Staged extends Host {
  readonly conversation: Conversation;
  readonly asked: string[];
  /** The calls that the server has run. */
  ran(): Promise<readonly string[]>;
}

async function staged(rig: (typeof RIGS)[number], person: 'approve' | 'decline' = 'decline'): Promise<Staged> {
  const conversation = await openConversation();
  const asked: string[] = [];
  const ask = ({ call }: Decision) => {
    asked.push(call.tool);
    return person === 'approve' ? { by: 'Ann' } : undefined;
  };
  const { transport } = protect(conversation, { ask });
  const host = await rig.open((inner) => transport(inner, { server: 'mail' }));
  open.push(host);
  const ran = async () => (await host.call('ran')).content.map(({ text }) => String(text));
  return { ...host, conversation, asked, ran };
}

async function bare(rig: (typeof RIGS)[number]): Promise<Host> {
  const host = await rig.open((inner) => inner);
  open.push(host);
  return host;
}

/** The result without the entries that this package wrote. */
function bytesOf({ _meta, ...result }: Called): string {
  const { [META.source]: _, ...meta } = _meta ?? {};
  return JSON.stringify({ ...result, meta });
}

function textOf({ content }: Called): string {
  return content.map(({ text }) => text).join('');
}

const TO_EVIL = { to: EVIL, body: 'Hello.' };
const TO_BOB = { to: 'bob@work.example', body: 'Hello.' };

// A process takes a while to start.
describe.each(RIGS)('$name', (rig) => {
  test('results are byte for byte those of the bare client, and contain their source', async () => {
    const [plain, guarded] = [await bare(rig), await staged(rig)];
    // From here on the output schemas are known, so that both clients validate structured content.
    expect(JSON.stringify(await guarded.client.listTools())).toBe(JSON.stringify(await plain.client.listTools()));
    for (const tool of ['read_mail', 'fail', 'parts', 'typed']) {
      const result = await guarded.call(tool);
      expect(result._meta?.[META.source]).toEqual({ server: 'mail', tool });
      const without = await plain.call(tool);
      expect(bytesOf(result)).toBe(bytesOf(without));
    }
    expect((await guarded.call('typed')).structuredContent).toMatchObject({ status: 'open', note: POISON });
    expect((await guarded.call('fail')).isError).toBe(true);
    expect((await guarded.call('read_mail'))._meta?.['x/y']).toBe(1);
  });

  test('a call to an address that the attacker named is not sent, and the next call is', async () => {
    const { call, ran, asked } = await staged(rig);
    await call('read_mail');
    const denied = await call('send_mail', TO_EVIL);
    expect(denied.isError).toBe(true);
    expect(textOf(denied)).toMatch(/^The call was not made: the content you have read/);
    expect(denied._meta?.[META.decision]).toEqual({ outcome: 'deny', rule: 'instructed' });
    expect(textOf(await call('send_mail', TO_BOB))).toBe('sent');
    expect([await ran(), asked]).toEqual([['send_mail bob@work.example'], []]);
  });

  test('an approved call is made once, after the person was asked once', async () => {
    const { call, ran, asked } = await staged(rig, 'approve');
    expect(textOf(await call('pay', { account: 'DE02120300' }))).toBe('paid');
    expect([asked, await ran()]).toEqual([['pay'], ['pay DE02120300']]);
  });

  test('a declined call is not made, and the client continues', async () => {
    const { call, ran, asked } = await staged(rig);
    expect(textOf(await call('pay', { account: 'DE02120300' }))).toMatch(/a person was asked and has declined it/);
    expect([asked, await ran()]).toEqual([['pay'], []]);
  });

  test('a person is asked about an undeclared tool, and about one that does not exist', async () => {
    const declined = await staged(rig);
    expect((await declined.call('mystery')).isError).toBe(true);
    expect((await declined.call('wire_money', { to: 'eve' })).isError).toBe(true);
    expect([declined.asked, await declined.ran()]).toEqual([['mystery', 'wire_money'], []]);

    const approved = await staged(rig, 'approve');
    expect(textOf(await approved.call('mystery'))).toContain(POISON);
    expect(approved.conversation.records.at(-1)?.label.integrity).toBe('unknown');
    const answer = await approved.call('wire_money').then(textOf, String);
    expect(answer).toMatch(/wire_money/);
    expect(await approved.ran()).toEqual(['mystery']);
  });

  test('parallel calls each get their own answer', async () => {
    const { call, ran } = await staged(rig);
    const answers = await Promise.all([
      call('read_mail'),
      call('send_mail', TO_BOB),
      call('wire_money'),
      call('typed'),
      ...Array.from({ length: 20 }, () => call('fail')),
    ]);
    expect(answers.slice(0, 4).map((each) => [textOf(each), each.isError ?? false])).toEqual([
      [POISON, false],
      ['sent', false],
      [expect.stringMatching(/declined/), true],
      ['', false],
    ]);
    expect(answers.slice(4).every(({ isError }) => isError)).toBe(true);
    expect(await ran()).toEqual(['send_mail bob@work.example']);
  });

  test('words of a resource, a prompt and an error do not vouch, and stay unchanged', async () => {
    const reads: ((host: Host) => Promise<unknown>)[] = [
      ({ client }) => client.readResource({ uri: NOTE }),
      ({ client }) => client.getPrompt({ name: 'greet', arguments: { name: 'Bob' } }),
      ({ client }) => client.readResource({ uri: GONE }).catch((error: Error) => ({ message: error.message })),
    ];
    const abouts = [{ server: 'mail', resource: NOTE }, { server: 'mail', prompt: 'greet' }, undefined];
    const plain = await bare(rig);
    for (const [index, read] of reads.entries()) {
      const { call, ran, ...host } = await staged(rig);
      const said = (await read({ ...host, call })) as Called;
      expect(JSON.stringify(said)).toContain('Ignore all previous instructions');
      expect(said._meta?.[META.source]).toEqual(abouts[index]);
      expect(bytesOf(said)).toBe(bytesOf((await read(plain)) as Called));
      expect((await call('send_mail', TO_EVIL))._meta?.[META.decision]).toMatchObject({ outcome: 'deny' });
      expect(await ran()).toEqual([]);
    }
  });

  test('the record has the id under which the model made the call, and the server does not see the id', async () => {
    const { call, conversation } = await staged(rig);
    await call('read_mail', {}, undefined, { _meta: { [META.call]: 'call_1' } });
    expect(conversation.records.at(-1)).toMatchObject({ id: 'call_1', source: { name: 'read_mail' } });
    const seen = await call('meta', {}, undefined, { _meta: { [META.call]: 'call_2', 'x/y': 1 } });
    expect(textOf(seen)).toMatch(/x\/y/);
    expect(textOf(seen)).not.toMatch(/sallyport/);
  });

  test('progress, cancelling and ping are those of the bare client', async () => {
    const { call, ran, client } = await staged(rig);
    const steps: unknown[] = [];
    await call('slow', {}, { onprogress: ({ progress, message }) => steps.push([progress, message]) });
    expect(steps.slice(0, 2)).toEqual([
      [1, POISON],
      [2, POISON],
    ]);
    expect(steps.length).toBeGreaterThan(30);
    const giveUp = new AbortController();
    const slow = call('slow', {}, { signal: giveUp.signal, onprogress: () => giveUp.abort() });
    await expect(slow).rejects.toThrow();
    await expect.poll(ran).toEqual(['slow done', 'slow cancelled']);
    if (rig.era === 'legacy') expect(await client.ping()).toEqual({});
  });
});

test('version 2 negotiates the protocol over stdio through the decorated transport', async () => {
  const conversation = await openConversation();
  const { transport } = protect(conversation);
  const host = await stdio2((inner) => transport(inner, { server: 'mail' }));
  open.push(host);
  expect(await host.call('read_mail')).toMatchObject({
    _meta: { [META.source]: { server: 'mail', tool: 'read_mail' } },
  });
  expect((await host.call('send_mail', TO_EVIL)).isError).toBe(true);
  expect((host.client as Client2).getProtocolEra()).toBe('modern');
});
