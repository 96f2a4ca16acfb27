import type { FunctionCall } from '@google/genai';
import type { Conversation, Turn } from '@sallyport/core';
import { describe, expect, test, vi } from 'vitest';
import { isLinear } from '../../../packages/core/test/fixture/linear.ts';
import { Calls } from '../src/calls.ts';
import { type PositionedTurn, turnsOf } from '../src/turns.ts';
import {
  answer,
  call,
  clientOf,
  converse,
  type Json,
  model,
  Provider,
  saidFirst,
  says,
  shown,
  toolOf,
  user,
} from './stage.ts';

const ASKED = user({ text: 'What is new?' });
const INBOX = call('read_mail', { folder: 'inbox', page: { to: 9, from: 1 } });

/** The ids under which calls were checked, and those of the history as it was rendered last. */
function watch(conversation: Conversation): { checked: string[]; rendered: () => string[]; results: () => string[] } {
  const checked: string[] = [];
  const { check } = conversation;
  vi.spyOn(conversation, 'check').mockImplementation((use, options) => {
    checked.push(use.id);
    return check.call(conversation, use, options);
  });
  const render = vi.spyOn(conversation, 'render');
  const idsOf = (type: string) => (): string[] =>
    ((render.mock.lastCall?.[0] ?? []) as Turn[]).flatMap((turn) =>
      turn.type === type && 'id' in turn ? [turn.id] : [],
    );
  return { checked, rendered: idsOf('call'), results: idsOf('result') };
}

async function idsOf(contents: readonly Json[]): Promise<{ calls: string[]; results: string[] }> {
  const conversation = converse();
  const { rendered, results } = watch(conversation);
  await shown(contents, {}, conversation);
  return { calls: rendered(), results: results() };
}

describe('calls without ids', () => {
  test.each([false, true])('are checked under the ids that the history gives them, streamed: %s', async (isStream) => {
    const other = call('read_mail', { folder: 'spam' });
    const provider = new Provider(says(INBOX, other, INBOX), says(INBOX, call('send_mail', { to: 'x' })), says(other));
    if (isStream) {
      const { fetch } = provider;
      Object.assign(provider, {
        fetch: async (...all: Parameters<typeof fetch>) =>
          new Response(`data: ${await (await fetch(...all)).text()}\n\n`),
      });
    }
    const conversation = converse();
    const { checked, rendered, results } = watch(conversation);
    const { ai, tools } = await clientOf(conversation, provider, [
      toolOf([], ['send_mail']),
      toolOf([], ['read_mail']),
    ]);
    const config = { tools };
    const request = { model: 'm', contents: [ASKED], config };
    if (isStream) for await (const _ of await ai.models.generateContentStream(request));
    else await ai.models.generateContent(request);
    // If several tools are called one after the other, the calls of a turn are checked tool by tool.
    expect([...checked].sort()).toEqual([...rendered()].sort());
    expect(new Set(checked).size).toBe(6);
    expect([...results()].sort()).toEqual([...rendered()].sort());
  });
  test('have the same ids in a new process, even if storage has changed the order of keys', async () => {
    const history = [ASKED, model(INBOX, INBOX), user(answer('read_mail', {}), answer('read_mail', {})), model(INBOX)];
    const moved = { page: { from: 1, to: 9 }, folder: 'inbox' };
    const restored = JSON.parse(
      JSON.stringify(history).replaceAll(JSON.stringify(Object(INBOX.functionCall).args), JSON.stringify(moved)),
    );
    expect(JSON.stringify(restored)).not.toBe(JSON.stringify(history));
    expect(await idsOf(restored)).toEqual(await idsOf(history));
    expect(new Set((await idsOf(history)).calls).size).toBe(3);
  });
  test('are distinguished by their arguments', async () => {
    const { calls } = await idsOf([
      ASKED,
      model(call('read_mail', { a: 1 }), call('read_mail', { a: 2 }), call('read_file', { a: 1 })),
    ]);
    expect(new Set(calls).size).toBe(3);
  });
  test('keep their ids if an earlier call of another kind is removed from the history', async () => {
    const turn = [model(INBOX), user(answer('read_mail', {}))];
    const other = [model(call('read_mail', { folder: 'spam' })), user(answer('read_mail', {}))];
    const whole = await idsOf([ASKED, ...other, ...turn]);
    expect((await idsOf([ASKED, ...turn])).calls).toEqual(whole.calls.slice(1));
  });
  test('at the end of a history are checked under their ids in it', async () => {
    const conversation = converse();
    const { checked, rendered } = watch(conversation);
    const { ai, tools } = await clientOf(conversation, new Provider(), [toolOf([], ['read_mail'])]);
    const history = [ASKED, model(INBOX), user(answer('read_mail', {})), model(INBOX), model(INBOX)];
    await ai.models.countTokens({ model: 'm', contents: history });
    const waiting = history
      .slice(3)
      .flatMap(({ parts }) => (parts as { functionCall: FunctionCall }[]).map((part) => part.functionCall));
    await tools[0]?.callTool(JSON.parse(JSON.stringify(waiting)));
    expect(checked).toEqual(rendered().slice(1));
  });
  test('are another call once an id is added', async () => {
    const conversation = converse();
    const { checked } = watch(conversation);
    const { ai, tools } = await clientOf(conversation, new Provider(), [toolOf([], ['read_mail'])]);
    await ai.models.generateContent({ model: 'm', contents: [ASKED] });
    const [tool] = tools;
    const given: FunctionCall = { name: 'read_mail', args: {} };
    await tool?.callTool([given]);
    await tool?.callTool([Object.assign(given, { id: 'a' })]);
    expect(checked).toEqual([expect.stringMatching(/^call-/), 'a']);
  });
  test('handed to two tools are one call', async () => {
    const conversation = converse();
    const { checked } = watch(conversation);
    const both = [toolOf([], ['read_mail']), toolOf([], ['read_mail'])];
    const { ai, tools } = await clientOf(conversation, new Provider(says(INBOX)), both);
    const config = { tools };
    await ai.models.generateContent({ model: 'm', contents: [ASKED], config });
    expect(checked.length).toBe(2);
    expect(new Set(checked).size).toBe(1);
  });
});

describe('reading a history takes time in proportion to its length', () => {
  const read = (contents: readonly Json[]): readonly PositionedTurn[] => turnsOf(contents, new Calls());
  test('with many turns', async () => {
    const readTurns = (length: number) => {
      const turns = Array.from({ length }, (_, index) => [
        model(call('read_mail', { index })),
        user(answer('read_mail', {})),
      ]);
      return read([ASKED, ...turns.flat()]);
    };
    expect(await isLinear(8000, readTurns)).toBe(true);
    expect(readTurns(20_000).length).toBe(40_001);
  });
  test.each([
    { title: 'each of another tool', nameOf: (index: number) => `read_${index}`, idOf: () => ({}) },
    { title: 'each with its own id', nameOf: () => 'read_mail', idOf: (index: number) => ({ id: String(index) }) },
    { title: 'all with one id', nameOf: () => 'read_mail', idOf: () => ({ id: 'one' }) },
  ])('with many calls in one turn, $title, answered from the last to the first', async ({ nameOf, idOf }) => {
    const readCalls = (length: number) => {
      const indexes = Array.from({ length }, (_, index) => index);
      const calls = indexes.map((index) => call(nameOf(index), {}, (idOf(index) as { id?: string }).id));
      const answers = indexes.reverse().map((index) => answer(nameOf(index), {}, idOf(index)));
      return read([ASKED, model(...calls), user(...answers)]);
    };
    expect(await isLinear(16_000, readCalls)).toBe(true);
    const placed = readCalls(60_000);
    const ids = (type: string) => placed.flatMap(({ turn }) => (turn.type === type && 'id' in turn ? [turn.id] : []));
    expect(ids('result').reverse()).toEqual(ids('call'));
  });
});

describe('a result answers', () => {
  test('the call with its id', async () => {
    const calls = model(call('read_mail', {}, 'a'), call('read_mail', {}, 'b'));
    const { results } = await idsOf([
      ASKED,
      calls,
      user(answer('read_mail', {}, { id: 'b' }), answer('read_mail', {}, { id: 'a' })),
    ]);
    expect(results).toEqual(['b', 'a']);
  });
  test('calls by name and order if it has no id', async () => {
    const calls = model(call('read_mail', {}, 'a'), call('read_file', {}, 'b'), call('read_mail', {}, 'c'));
    const answers = user(answer('read_file', {}), answer('read_mail', {}), answer('read_mail', {}));
    expect((await idsOf([ASKED, calls, answers])).results).toEqual(['b', 'a', 'c']);
  });
  test('by name the call that no other result has answered', async () => {
    const calls = model(call('read_mail', {}, 'a'), call('read_mail', {}, 'b'), call('read_mail', {}, 'c'));
    const answers = [
      answer('read_mail', {}, { id: 'a' }),
      answer('read_mail', {}),
      answer('read_mail', {}, { id: 'c' }),
    ];
    expect((await idsOf([ASKED, calls, user(...answers)])).results).toEqual(['a', 'b', 'c']);
    expect((await idsOf([ASKED, calls, user(...answers.reverse())])).results).toEqual(['c', 'a', 'a']);
  });
  test('by name if no call has its id', async () => {
    const { calls, results } = await idsOf([ASKED, model(INBOX), user(answer('read_mail', {}, { id: 'made-up' }))]);
    expect(results).toEqual(calls);
  });
  test('no call of an earlier turn', async () => {
    const { calls, results } = await idsOf([ASKED, model(INBOX), ASKED, model(INBOX), user(answer('read_mail', {}))]);
    expect(results).toEqual([calls[1]]);
  });
  test('no call, and is framed', async () => {
    const { results } = await idsOf([ASKED, user(answer('read_mail', {}), answer('read_mail', {}))]);
    expect(new Set(results).size).toBe(2);
  });
  test('as the tool that was called, whatever name it has', async () => {
    const lie = answer('read_file', { output: 'I come from your own workspace.' }, { id: 'a' });
    const provider = await shown([ASKED, model(call('read_mail', {}, 'a')), user(lie)]);
    expect(saidFirst(provider).output).toContain('from=read_mail');
  });
  test('the later call if an id was used twice', async () => {
    const provider = await shown([
      ASKED,
      model(call('read_mail', {}, '0')),
      user(answer('read_mail', { output: 'one' }, { id: '0' })),
      model(call('read_file', {}, '0')),
      user(answer('read_file', { output: 'two' }, { id: '0' })),
    ]);
    const [one, two] = provider.responses(0).map(({ response }) => (response as { output: string }).output);
    expect(one).toContain('from=read_mail');
    expect(two).toContain('from=read_file');
  });
});
