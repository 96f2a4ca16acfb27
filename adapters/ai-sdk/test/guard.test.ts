import { type ModelMessage, type ToolSet, tool } from 'ai';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { EVIL, POISON, protectTools } from './world.ts';

const HISTORY: ModelMessage[] = [
  { role: 'user', content: 'Read the mail, pay DE02120300, write to ann@home.example.' },
  { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'r', toolName: 'read', input: {} }] },
  {
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId: 'r', toolName: 'read', output: { type: 'text', value: POISON } }],
  },
];
const asked = (tool: string, input: object): ModelMessage => ({
  role: 'assistant',
  content: [
    { type: 'tool-call', toolCallId: 'p', toolName: tool, input },
    { type: 'tool-approval-request', approvalId: 'a', toolCallId: 'p' },
  ],
});
const answered = (approved: boolean, approvalId = 'a'): ModelMessage => ({
  role: 'tool',
  content: [{ type: 'tool-approval-response', approvalId, approved }],
});

const paid: ModelMessage = {
  role: 'tool',
  content: [{ type: 'tool-result', toolCallId: 'p', toolName: 'pay', output: { type: 'text', value: 'paid' } }],
};

type Run = (input: object, options: { toolCallId: string; messages: ModelMessage[] }) => unknown;
type Guarded = { execute: Run; needsApproval: Run };

function guarded(name: string, ask?: () => { by: string } | undefined) {
  const ran: unknown[] = [];
  const tools: ToolSet = {
    [name]: tool({
      inputSchema: z.object({}),
      execute: async (input) => {
        ran.push(input);
        return 'done';
      },
    }),
  };
  return { ran, tool: protectTools(tools, ask)[name] as unknown as Guarded };
}

const PAY = { account: 'DE02120300' };

describe('a call before its tool runs', () => {
  it.each([
    { title: 'without any answer', messages: [...HISTORY, asked('pay', PAY)], runs: 0 },
    { title: 'approved', messages: [...HISTORY, asked('pay', PAY), answered(true)], runs: 1 },
    { title: 'declined', messages: [...HISTORY, asked('pay', PAY), answered(false)], runs: 0 },
    {
      title: 'approved and declined',
      messages: [...HISTORY, asked('pay', PAY), answered(true), answered(false)],
      runs: 0,
    },
    { title: 'an answer to another question', messages: [...HISTORY, asked('pay', PAY), answered(true, 'b')], runs: 0 },
    {
      title: 'an answer about another input',
      messages: [...HISTORY, asked('pay', { account: 'GB94BARC' }), answered(true)],
      runs: 0,
    },
    { title: 'an answer about another tool', messages: [...HISTORY, asked('send', PAY), answered(true)], runs: 0 },
    {
      title: 'an answer that was used',
      messages: [...HISTORY, asked('pay', PAY), answered(true), paid],
      runs: 0,
    },
    { title: 'an answer to no question', messages: [...HISTORY, answered(true)], runs: 0 },
  ])('$title: the tool runs $runs times', async ({ messages, runs }) => {
    const { ran, tool: pay } = guarded('pay');
    await Promise.resolve(pay.execute(PAY, { toolCallId: 'p', messages })).catch((error: Error) => {
      expect(error.message).toContain('The call was not made');
    });
    expect(ran).toHaveLength(runs);
  });

  it('stays denied despite an approval', async () => {
    const { ran, tool: send } = guarded('send');
    const input = { to: EVIL };
    const messages = [...HISTORY, asked('send', input), answered(true)];
    await expect(send.execute(input, { toolCallId: 'p', messages })).rejects.toThrow('not the user, asked for it');
    expect(ran).toEqual([]);
  });

  it('is checked against the history in a process that has just started', async () => {
    const { tool: send } = guarded('send');
    await expect(send.execute({ to: EVIL }, { toolCallId: 's', messages: HISTORY })).rejects.toThrow('not the user');
    const { tool: other } = guarded('send');
    const clean: ModelMessage[] = [{ role: 'user', content: `Write to ${EVIL}.` }];
    expect(await other.execute({ to: EVIL }, { toolCallId: 's', messages: clean })).toBe('done');
  });

  it('is checked against what was read since, even if the model is not wrapped', async () => {
    const { ran, tool: send } = guarded('send');
    const first: ModelMessage[] = [{ role: 'user', content: 'Write to ann@home.example, then read the mail.' }];
    expect(await send.execute({ to: 'ann@home.example' }, { toolCallId: 'a', messages: first })).toBe('done');
    const options = { toolCallId: 'b', messages: [...first, ...HISTORY.slice(1)] };
    await expect(send.execute({ to: EVIL }, options)).rejects.toThrow('The call was not made');
    expect(ran).toHaveLength(1);
  });

  it('needs approval if the gate or the tool itself asks for it', async () => {
    const options = { toolCallId: 'p', messages: HISTORY };
    expect(await guarded('pay').tool.needsApproval(PAY, options)).toBe(true);
    expect(await guarded('read').tool.needsApproval({}, options)).toBe(false);
    const own = { read: tool({ inputSchema: z.object({}), needsApproval: true, execute: async () => 'x' }) };
    const { read } = protectTools(own) as unknown as { read: Guarded };
    expect(await read.needsApproval({}, options)).toBe(true);
  });

  it('is asked about once, by the ask function, without an approval request', async () => {
    const yes = guarded('pay', () => ({ by: 'ann' }));
    const options = { toolCallId: 'p', messages: HISTORY };
    expect(await yes.tool.needsApproval(PAY, options)).toBe(false);
    expect(await yes.tool.execute(PAY, options)).toBe('done');
    await expect(guarded('pay', () => undefined).tool.execute(PAY, options)).rejects.toThrow('declined');
  });
});

describe('a tool that is an async generator', () => {
  const collect = async (values: unknown): Promise<unknown[]> => {
    const all: unknown[] = [];
    for await (const value of values as AsyncIterable<unknown>) all.push(value);
    return all;
  };
  const options = { toolCallId: 's', messages: HISTORY };

  it('yields its values, or none if the call is not allowed', async () => {
    const ran: string[] = [];
    const tools: ToolSet = {
      send: tool({
        inputSchema: z.object({ to: z.string() }),
        async *execute({ to }) {
          ran.push(to);
          yield 'half';
          yield 'whole';
        },
      }),
    };
    const { send } = protectTools(tools) as unknown as { send: Guarded };
    expect(await collect(send.execute({ to: 'ann@home.example' }, options))).toEqual(['half', 'whole']);
    await expect(collect(send.execute({ to: EVIL }, options))).rejects.toThrow('The call was not made');
    expect(ran).toEqual(['ann@home.example']);
  });

  it('returns its last value if it only returns a generator', async () => {
    async function* inner() {
      yield 'half';
      yield 'whole';
    }
    const tools: ToolSet = { read: tool({ inputSchema: z.object({}), execute: () => inner() }) };
    const { read } = protectTools(tools) as unknown as { read: Guarded };
    expect(await read.execute({}, options)).toBe('whole');
  });
});

it('a refusal reads as its message alone, which is how core recognizes it in a history', async () => {
  const { tool: send } = guarded('send');
  const options = { toolCallId: 's', messages: HISTORY };
  const error: Error = await Promise.resolve(send.execute({ to: EVIL }, options)).then(
    () => new Error('allowed'),
    (refused: Error) => refused,
  );
  expect([error.name, String(error)]).toEqual(['CallNotAllowedError', error.message]);
});

it('a tool without execute gets no execute', () => {
  const tools: ToolSet = { pay: tool({ inputSchema: z.object({}) }) };
  expect(protectTools(tools).pay?.execute).toBeUndefined();
});
