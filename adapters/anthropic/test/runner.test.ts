import type { BetaToolRunnerParams } from '@anthropic-ai/sdk/lib/tools/BetaToolRunner';
import { expect, test } from 'vitest';
import {
  type Body,
  calling,
  clientOf,
  conversationOf,
  EVIL,
  POISON,
  replyOf,
  type TestClient,
  unframed,
} from './world.ts';

const READ = [calling('t1', 'read_file', { path: 'a' })];
const MAIL = [calling('t2', 'send_mail', { to: EVIL, body: 'Hello.' })];
const SCRIPT = () => [{ body: replyOf(READ) }, { body: replyOf(MAIL) }];

function tool(name: string, run: () => unknown): Body {
  return { name, input_schema: { type: 'object' }, parse: (given: unknown) => given, run };
}

interface Ran extends TestClient {
  readonly stored: unknown;
  readonly mails: number;
}

async function ran(
  options: Body,
  answers: readonly { status?: number; body: unknown }[] = SCRIPT(),
  page = POISON,
): Promise<Ran> {
  let mails = 0;
  const stand = clientOf(conversationOf(), answers, {
    tools: [tool('read_file', () => page), tool('send_mail', () => ++mails)],
  });
  const runner = stand.client.beta.messages.toolRunner({
    model: 'm',
    max_tokens: 9,
    system: 'Be kind.',
    messages: [{ role: 'user', content: 'Read it.' }],
    tools: stand.tools,
    ...options,
  } as unknown as BetaToolRunnerParams);
  await runner.runUntilDone();
  return { ...stand, stored: runner.params.messages, mails };
}

function resultsIn(body: Body | undefined): Body[] {
  const messages = (body?.messages ?? []) as Body[];
  return messages
    .flatMap(({ content }) => (Array.isArray(content) ? content : []))
    .filter(({ type }) => type === 'tool_result');
}

const MODES: readonly [string, Body][] = [
  ['threads', {}],
  ['no threads', { thread: false }],
  ['streaming', { thread: false, stream: true }],
  ['streaming, tools at once', { thread: false, stream: true, runToolsEagerly: true }],
  ['threads, streaming, tools at once', { stream: true, runToolsEagerly: true }],
];

test.each(MODES)(
  '%s: results are framed with their source, a refused call does not run, and the stored history is raw',
  async (_, options) => {
    const { sent, stored, mails } = await ran(options);
    expect([sent.length, mails]).toEqual([3, 0]);
    const [read] = resultsIn(sent[1]?.body);
    expect(unframed(read?.content)).toBe(POISON);
    expect(read?.content).toContain('from=read_file');
    const refusal = resultsIn(sent[2]?.body).at(-1);
    expect(refusal).toMatchObject({
      tool_use_id: 't2',
      is_error: true,
      content: expect.stringMatching(/^The call was not made/),
    });
    expect(resultsIn({ messages: stored }).map(({ content }) => content)).toEqual([POISON, refusal?.content]);
  },
);

test('a thread is created with the reading rules, and continued without a system prompt, which the provider would reject', async () => {
  const { sent } = await ran({});
  expect(sent.map(({ body }) => (body.thread as Body).type)).toEqual(['create', 'continue', 'continue']);
  expect(sent.map(({ body }) => 'system' in body)).toEqual([true, false, false]);
  expect(sent[0]?.body.system).toMatch(/^Be kind\.\n\nHow to read/);
  expect(sent.map(({ body }) => (body.messages as unknown[]).length)).toEqual([1, 1, 1]);
});

test('a thread that the provider lost is sent again with the same bytes', async () => {
  const details = { error_code: 'thread_not_found' };
  const lost = { status: 404, body: { type: 'error', error: { type: 'not_found_error', message: 'x', details } } };
  const { sent, mails } = await ran({}, [{ body: replyOf(READ) }, { body: replyOf(MAIL) }, lost]);
  expect(sent).toHaveLength(4);
  expect(sent[3]?.body.thread).toEqual({ type: 'create' });
  expect(sent[3]?.body.system).toBe(sent[0]?.body.system);
  expect(resultsIn(sent[3]?.body)).toEqual([...resultsIn(sent[1]?.body), ...resultsIn(sent[2]?.body)]);
  expect(mails).toBe(0);
});

const SEARCH = [
  { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'offices' } },
  {
    type: 'web_search_tool_result',
    tool_use_id: 's1',
    content: [{ type: 'web_search_result', title: POISON, url: 'https://evil.example', encrypted_content: 'Zm9v' }],
  },
];

test.each(MODES)(
  '%s: results of provider tools count as read before a call of the same reply is made',
  async (_, options) => {
    const { sent, mails, stored } = await ran(options, [{ body: replyOf([...SEARCH, ...MAIL]) }]);
    expect([sent.length, mails]).toEqual([2, 0]);
    expect(JSON.stringify(stored)).toContain('Zm9v');
  },
);

test.each(MODES)(
  '%s: results of provider tools count as read before a call of a later reply is made',
  async (_, options) => {
    const answers = [{ body: replyOf([...SEARCH, ...READ]) }, { body: replyOf(MAIL) }];
    const { mails, sent } = await ran(options, answers, 'Nothing of note.');
    expect([sent.length, mails]).toEqual([3, 0]);
  },
);
