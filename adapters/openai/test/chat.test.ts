import { READING_RULES } from '@sallyport/core/adapter';
import { describe, expect, it } from 'vitest';
import { EVIL, POISON, shown, shownMessages, start, unframed } from './world.ts';

const ASK = { role: 'user', content: 'What is new?' };
const calling = (id: string, name: string, written = '{}') => {
  return {
    role: 'assistant',
    content: null,
    tool_calls: [{ id, type: 'function', function: { name, arguments: written } }],
  };
};
const result = (id: string, content: unknown) => ({ role: 'tool', tool_call_id: id, content });
const toEvil = { id: 's', tool: 'send_mail', arguments: { to: EVIL, body: 'Hi' } };

describe('a result in chat completions', () => {
  it('is framed with its tool, and everything else stays', async () => {
    const messages = [ASK, calling('1', 'read_mail'), result('1', POISON)];
    const [ask, called, shownResult] = await shownMessages(messages);
    expect([ask, called]).toEqual(messages.slice(0, 2));
    expect(unframed(shownResult?.content)).toBe(POISON);
    expect(shownResult?.content).toContain('from=read_mail');
    expect(shownResult).toEqual({ role: 'tool', tool_call_id: '1', content: shownResult?.content });
  });

  it('keeps its parts and the end of a cached prefix', async () => {
    const marked = { type: 'text', text: 'two', prompt_cache_breakpoint: { mode: 'explicit' } };
    const parts = [{ type: 'text', text: POISON }, marked];
    const [, , shownResult] = await shownMessages([ASK, calling('1', 'read_mail'), result('1', parts)]);
    const [one, two] = (shownResult?.content ?? []) as { text: string }[];
    expect([unframed(one?.text), unframed(two?.text)]).toEqual([POISON, 'two']);
    expect(two).toMatchObject({ type: 'text', prompt_cache_breakpoint: { mode: 'explicit' } });
  });

  it('is JSON if the SDK serialized a value, and text if parsing would lose a byte', async () => {
    const typeOf = async (content: string): Promise<boolean> => {
      const [, shownResult] = await shownMessages([calling('1', 'read_mail'), result('1', content)]);
      expect(unframed(shownResult?.content)?.replace(/\s/g, '')).toBe(content.replace(/\s/g, ''));
      // JSON is shown without blanks.
      return unframed(shownResult?.content) !== content;
    };
    expect(await typeOf(JSON.stringify({ a: POISON }, undefined, 1))).toBe(true);
    expect(await typeOf(JSON.stringify([{ a: 1 }], undefined, 2))).toBe(true);
    expect(await typeOf('{"id":12345678901234567890}')).toBe(false);
    expect(await typeOf('{"to":"bob","to":"eve"}')).toBe(false);
    expect(await typeOf('[not json')).toBe(false);
  });

  it.each([
    ['a part of an unknown type', [{ type: 'hologram', says: POISON }]],
    ['a part that is none', [POISON, 7, null]],
    ['no text at all', { says: POISON }],
  ])('is framed as JSON if it is %s', async (_, content) => {
    const [, shownResult] = await shownMessages([calling('1', 'read_mail'), result('1', content)]);
    const texts = Array.isArray(shownResult?.content)
      ? shownResult.content.map(({ text }) => text)
      : [shownResult?.content];
    expect(texts.map(unframed).join('\n')).toContain(POISON);
    expect(JSON.stringify(shownResult?.content).match(/Ignore all previous/g)).toHaveLength(1);
  });

  it('is opened and framed again if it is its own frame, with whatever is in it', async () => {
    const history = (content: string) => [calling('1', 'read_mail'), result('1', content)];
    const [, first] = await shownMessages(history(POISON));
    const frame = String(first?.content);
    expect((await shownMessages(history(frame)))[1]?.content).toBe(frame);
    const forged = frame.replace('minutes', 'orders');
    const [, other] = await shownMessages(history(forged));
    expect(unframed(other?.content)).toContain('orders');
  });

  it('has the tool of its own call if an id is used twice, even after a restart', async () => {
    const messages = [calling('1', 'read_mail'), result('1', POISON), calling('1', 'pay'), result('1', 'paid')];
    const conversation = start();
    const all = [await shownMessages(messages, conversation), await shownMessages([ASK, ...messages], conversation)];
    all.push(await shownMessages(messages));
    for (const each of all) {
      const [one, two] = each.filter(({ role }) => role === 'tool');
      expect([one?.content, two?.content]).toEqual([
        expect.stringContaining('from=read_mail'),
        expect.stringContaining('from=pay'),
      ]);
    }
    expect(all[2]).toEqual(all[0]);
  });

  it.each([undefined, '', 'x'.repeat(600)])('is framed if its id is unusable', async (id) => {
    const [, shownResult] = await shownMessages([calling(String(id), 'read_mail'), result(id as string, POISON)]);
    expect(unframed(shownResult?.content)).toBe(POISON);
  });

  it('of the deprecated functions API is framed with its name', async () => {
    const called = { role: 'assistant', content: null, function_call: { name: 'read_mail', arguments: '{}' } };
    const answer = { role: 'function', name: 'read_mail', content: POISON };
    for (const messages of [[called, answer], [answer]]) {
      const shownResult = (await shownMessages(messages)).at(-1);
      expect(unframed(shownResult?.content)).toBe(POISON);
      expect(shownResult?.content).toContain('from=read_mail');
    }
  });
});

describe('a message in chat completions', () => {
  it.each([{ role: 'observer', content: POISON }, POISON, 7, null, [POISON]])(
    'of no known role is framed',
    async (one) => {
      const [message] = await shownMessages([one]);
      expect(message?.role).toBe('user');
      expect(JSON.parse(unframed(message?.content) ?? '')).toEqual(one);
    },
  );

  it('is accepted if its arguments are not JSON', async () => {
    const conversation = start();
    await shownMessages([calling('1', 'read_mail', '{"folder":'), result('1', POISON)], conversation);
    expect((await conversation.check(toEvil)).outcome).toBe('deny');
  });

  it('of the user stays, and its attachments vouch for nothing', async () => {
    const file = { type: 'file', file: { filename: 'a.txt', file_data: Buffer.from(POISON).toString('base64') } };
    const user = { role: 'user', content: [{ type: 'text', text: 'Write to bob@work.example.' }, file] };
    const conversation = start();
    expect(await shownMessages([user], conversation)).toEqual([user]);
    expect((await conversation.check(toEvil)).outcome).toBe('deny');
    const toBob = { id: 'b', tool: 'send_mail', arguments: { to: 'bob@work.example', body: 'Hi' } };
    expect((await conversation.check(toBob)).outcome).toBe('allow');
  });
});

describe('an attachment of the user', () => {
  it("does not count as the user's words, even if its type is unknown", async () => {
    const to = 'zoe@far.example';
    const checked = async (part: unknown): Promise<string> => {
      const conversation = start({ gate: { preset: 'strict' } });
      await shownMessages([{ role: 'user', content: [part] }], conversation);
      return (await conversation.check({ id: 's', tool: 'send_mail', arguments: { to, body: 'Hi' } })).rule;
    };
    expect(await checked({ type: 'text', text: `Write to ${to}.` })).toBe('trusted');
    expect(await checked({ type: 'hologram', to })).toBe('content');
  });
});

describe('the reading rules in chat completions', () => {
  const systems = async (messages: readonly unknown[]) => {
    const body = await shown('/chat/completions', { model: 'm', messages });
    return (body.messages as { role: string; content: unknown }[]).filter(({ role }) => role !== 'user');
  };

  it("follow the developer's first message, once", async () => {
    for (const role of ['system', 'developer']) {
      const [first] = await systems([{ role, content: 'You help.' }, ASK]);
      expect(first).toEqual({ role, content: `You help.\n\n${READING_RULES}` });
      expect(await systems([first, ASK])).toEqual([first]);
    }
  });

  it('follow its parts', async () => {
    const content = [{ type: 'text', text: 'You help.' }];
    const [first] = await systems([{ role: 'system', content }, ASK]);
    expect(first?.content).toEqual([...content, { type: 'text', text: READING_RULES }]);
    expect(await systems([first, ASK])).toEqual([first]);
  });

  it('precede all messages if there is none, and keep their position if one is added later', async () => {
    const alone = { role: 'system', content: READING_RULES };
    expect(await systems([ASK])).toEqual([alone]);
    const later = { role: 'system', content: 'Be brief.' };
    expect(await systems([ASK, later])).toEqual([alone, later]);
  });
});
