import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { replayCommand } from '../src/replay/replay.ts';
import { ASKED, ATTACK, entriesOf, READ, RESULT, replay, SEND, TO, unclearParts } from './fixtures/logs.ts';
import { runCommand, TestFolder } from './fixtures/rig.ts';

let testFolder: TestFolder;
beforeEach(() => {
  testFolder = new TestFolder();
});
afterEach(() => testFolder.remove());

/** Only the texts in a message of the user are the user's words; other parts are content from elsewhere. */
const ATTACHED: readonly { readonly title: string; readonly payload: unknown; readonly expected: unknown }[] = [
  ...[
    { type: 'file', file: { file_data: ATTACK } },
    { type: 'input_file', file_data: ATTACK },
    { type: 'document', text: ATTACK },
    { type: 'output_text', text: ATTACK },
    { text: ATTACK },
  ].flatMap((part) => [
    {
      title: `chat, ${JSON.stringify(part).slice(0, 24)}`,
      payload: [{ role: 'user', content: [{ type: 'text', text: 'Sum' }, { type: 'input_text', text: 'up' }, part] }],
      expected: { json: part },
    },
    {
      title: `responses, ${JSON.stringify(part).slice(0, 24)}`,
      payload: { input: [{ role: 'user', content: ['Sum', { type: 'input_text', text: 'up' }, part] }] },
      expected: { json: part },
    },
    {
      title: `LangChain, ${JSON.stringify(part).slice(0, 24)}`,
      payload: [{ type: 'human', content: ['Sum', { type: 'text', text: 'up' }, part] }],
      expected: { json: part },
    },
  ]),
];

test.each(ATTACHED)('attached by the user: $title', ({ payload, expected }) => {
  expect(entriesOf(payload)).toEqual([
    { type: 'user', content: 'Sum\nup' },
    { type: 'content', content: expected },
  ]);
});

describe('conversations in a list', () => {
  const logs = ['one', 'two'].map((type) => ({ type, messages: [ASKED, READ, RESULT, SEND] }));

  test.each([[], ['--format', 'openai-chat']])('are replayed separately (%s %s)', async (...flags) => {
    testFolder.write('log.json', JSON.stringify(logs));
    const { out } = await runCommand(replayCommand, testFolder, ['log.json', ...flags]);
    expect(out).toContain('2 conversations (2 openai-chat), 4 calls');
    expect(out).toContain('0.0 questions and 50.0 denials per 100 calls');
  });
});

/** Parts of a log that cannot be read, and may contain calls. */
const UNCLEAR: readonly { readonly title: string; readonly payload: unknown; readonly expected: string }[] = [
  { title: 'a role', payload: [ASKED, { role: 'critic', content: 'x' }], expected: 'a message with the role "critic"' },
  { title: 'no role', payload: [ASKED, { content: 'x' }], expected: 'a message without a role' },
  { title: 'no message', payload: [ASKED, 7], expected: 'a message that is not an object' },
  {
    title: 'a part',
    payload: [ASKED, { role: 'assistant', content: [{ type: 'tool-getTime' }] }],
    expected: 'a part of the model\'s message with the type "tool-getTime"',
  },
  {
    title: 'calls by another name',
    payload: [ASKED, { role: 'assistant', content: '', toolInvocations: [{}] }],
    expected: 'the field "toolInvocations", in which no call could be read',
  },
  {
    title: 'calls that are not a list',
    payload: [ASKED, { role: 'assistant', tool_calls: 'send_mail()' }],
    expected: 'the field "tool_calls", in which no call could be read',
  },
  {
    title: 'a call without a name',
    payload: [ASKED, { role: 'assistant', tool_calls: [null] }],
    expected: 'a call without the name of a tool',
  },
  {
    title: 'arguments by another name',
    payload: [ASKED, { role: 'assistant', tool_calls: [{ name: 'send_mail', parameters: TO }] }],
    expected: 'a call with arguments in an unknown form',
  },
  {
    title: 'an unknown form',
    payload: [ASKED, { role: 'assistant', body: { calls: 1 } }],
    expected: 'a message in which nothing could be read',
  },
  {
    title: 'an answer',
    payload: { messages: [ASKED], response: { body: { choices: [] } } },
    expected: 'the field "response"',
  },
  {
    title: 'calls outside the messages',
    payload: { messages: [ASKED], toolCalls: [{ toolName: 'send_mail' }] },
    expected: 'the field "toolCalls"',
  },
  {
    title: 'input next to messages',
    payload: { messages: [ASKED], input: [{ role: 'user', content: 'x' }] },
    expected: 'the field "input"',
  },
  {
    title: 'an item',
    payload: { input: [ASKED, { type: 'item_reference', id: 'i' }] },
    expected: 'an item of type "item_reference"',
  },
  {
    title: 'an attribute',
    payload: { attributes: { 'gen_ai.input.messages': 'x' } },
    expected: 'the attribute "gen_ai.input.messages", which is not a list of messages',
  },
  { title: 'everything', payload: { channel_values: { messages: 'packed' } }, expected: 'the whole conversation' },
];

describe('a part that is not understood', () => {
  test.each(UNCLEAR)('$title', ({ payload, expected }) => expect(unclearParts(payload)).toEqual([expected]));

  test('is counted and shown, and the conversation is unclear instead of untouched', async () => {
    const { out, page } = await replay(testFolder, [ASKED], ...UNCLEAR.slice(0, 2).map(({ payload }) => payload));
    expect(out).toMatch(/unclear +2 .*\n +untouched +1 /);
    expect(out).toContain('2 items in 2 conversations were not understood');
    expect(page).toContain('2 items in 2 conversations were not understood');
    expect(page).toContain('<strong class="unclear">unclear</strong>');
    expect(page).toContain('<small>1 not understood</small>');
    expect(page).toContain('<pre>a message with the role &quot;critic&quot;</pre>');
  });

  test('does not change the result of held or harmless conversations', async () => {
    const { out } = await replay(
      testFolder,
      [ASKED, READ, RESULT, SEND, { role: 'critic', content: 'x' }],
      [ASKED, { role: 'assistant' }],
      [ASKED, { role: 'assistant', content: [{ type: 'thinking', thinking: 'x' }], usage: { tokens: 1 } }],
      { messages: [ASKED], toolCalls: [{}], response: SEND },
    );
    expect(out).toMatch(/denied +1 /);
    expect(out).toMatch(/unclear +0 /);
  });
});

const NESTED = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
const ODD: readonly { readonly title: string; readonly payload: string; readonly expected: RegExp }[] = [
  ...['type', 'role', 'kwargs', 'key'].flatMap((name) => [
    {
      title: `${name} that has no string form`,
      payload: `{"messages":[{"content":"x","${name}":{"toString":1,"valueOf":1}}],"attributes":[{"${name}":{"toString":1}}]}`,
      expected: /2 conversations/,
    },
    {
      title: `${name} that is nested very deeply`,
      payload: `{"messages":[{"content":"x","${name}":${NESTED}}],"attributes":[{"${name}":${NESTED}}]}`,
      expected: /[12] conversations/,
    },
  ]),
];

test.each(ODD)('the replay continues after a message with $title', async ({ payload, expected }) => {
  testFolder.write('log.jsonl', `${payload}\n${JSON.stringify([ASKED, READ, RESULT, SEND])}\n`);
  const { code, out } = await runCommand(replayCommand, testFolder, ['log.jsonl']);
  expect(code).toBe(0);
  expect(out).toMatch(expected);
  expect(out).toMatch(/denied +1 /);
});
