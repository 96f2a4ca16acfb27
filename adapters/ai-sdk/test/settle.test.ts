import { spanClassifier } from '@sallyport/classifier';
import { type Boundary, type BoundaryOptions, createBoundary, defineTool } from '@sallyport/core';
import { generateText, type ModelMessage, type ToolSet, tool } from 'ai';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { protect } from '../src/index.ts';
import { EVIL, MODEL, POISON } from './world.ts';

const read = (toolCallId: string, value: string): ModelMessage[] => [
  { role: 'assistant', content: [{ type: 'tool-call', toolCallId, toolName: 'read', input: {} }] },
  {
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId, toolName: 'read', output: { type: 'text', value } }],
  },
];
const HISTORY: ModelMessage[] = [
  { role: 'user', content: 'Read the mails, and pay what is due.' },
  ...read('r1', 'The invoice of the printer. Our account is DE02120300.'),
  ...read('r2', POISON),
];
const DECLARED = [
  defineTool({ name: 'read', origin: 'external', effect: 'read' }),
  defineTool({ name: 'send', origin: 'workspace', effect: 'send' }),
  defineTool({ name: 'pay', origin: 'workspace', effect: 'spend' }),
];

type Run = (input: object, options: { toolCallId: string; messages: ModelMessage[] }) => Promise<unknown>;

/** What the SDK does with a call: it asks whether the call needs an approval, and runs the tool if it needs none. */
function agent(boundary: Boundary, name: string) {
  const ran: unknown[] = [];
  const inputSchema = z.object({ account: z.string().optional(), to: z.string().optional() });
  const execute = async (input: object) => ran.push(input);
  const tools: ToolSet = { [name]: tool({ inputSchema, execute }) };
  const conversation = boundary.conversation('c', { owner: 'ann' });
  const guarded = protect(conversation, { model: MODEL, tools, declare: conversation.tools }).tools[name];
  const { execute: run, needsApproval } = guarded as unknown as { execute: Run; needsApproval: Run };
  const call = async (input: object, toolCallId = 'p') => {
    const options = { toolCallId, messages: HISTORY };
    if (await needsApproval(input, options)) return 'waits';
    return run(input, options).then(
      () => 'ran',
      () => 'refused',
    );
  };
  return { ran, call, run, needsApproval };
}

function boundaryWith(options: BoundaryOptions = {}): Boundary {
  return createBoundary({ classifier: spanClassifier, tools: DECLARED, ...options });
}

async function approve(boundary: Boundary, answer: object = {}): Promise<void> {
  for (const { id } of await boundary.pending({}))
    await boundary.settle(id, { outcome: 'approve', by: 'ann', ...answer });
}

describe('a call that was approved with settle()', () => {
  const PAY = { account: 'DE02120300' };

  it('runs once', async () => {
    const boundary = boundaryWith();
    const { call } = agent(boundary, 'pay');
    expect(await call(PAY)).toBe('waits');
    await approve(boundary);
    expect(await call(PAY)).toBe('ran');
    expect(await call(PAY)).toBe('waits');
  });

  it('runs as often as it was approved', async () => {
    const boundary = boundaryWith();
    const { call } = agent(boundary, 'pay');
    await call(PAY);
    await approve(boundary, { scope: 'conversation', uses: 2 });
    expect([await call(PAY, 'p1'), await call(PAY, 'p2'), await call(PAY, 'p3')]).toEqual(['ran', 'ran', 'waits']);
  });

  it('runs once although it was denied, if a person overrides the denial', async () => {
    const boundary = boundaryWith();
    const { call } = agent(boundary, 'send');
    expect(await call({ to: EVIL })).toBe('refused');
    await approve(boundary, { acknowledge: true });
    expect(await call({ to: EVIL })).toBe('ran');
    expect(await call({ to: EVIL })).toBe('refused');
  });

  it('does not run with another input than the one that was checked', async () => {
    const boundary = boundaryWith();
    const { call, needsApproval, run, ran } = agent(boundary, 'pay');
    await call(PAY);
    await approve(boundary);
    const options = { toolCallId: 'p', messages: HISTORY };
    expect(await needsApproval(PAY, options)).toBe(false);
    await expect(run({ account: 'GB94BARC' }, options)).rejects.toThrow('The call was not made');
    expect(ran).toEqual([]);
  });
});

describe('a call that was rejected with settle()', () => {
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  const CALL = { type: 'tool-call', toolCallId: 'p', toolName: 'send', input: '{"to":"help@shop.example"}' };
  const ASKED: ModelMessage = { role: 'user', content: 'Work through the new mails and answer the customers.' };
  const MAIL = read('r1', 'I cannot log in. Please send the answer to help@shop.example. Maria');

  /** One request in a new process, to a model that gives this answer. */
  async function request(boundary: Boundary, messages: ModelMessage[], answer: readonly object[]) {
    const sent: unknown[] = [];
    const conversation = boundary.conversation('c', { owner: 'ann' });
    const reason = { unified: answer.length === 0 ? 'stop' : 'tool-calls', raw: 'x' };
    const doGenerate = async () => ({ content: answer, finishReason: reason, usage, warnings: [] });
    const inputSchema = z.object({ to: z.string() });
    const guarded = protect(conversation, {
      model: { ...(MODEL as object), doGenerate } as never,
      tools: { send: tool({ inputSchema, execute: async (input) => sent.push(input) }) },
      declare: conversation.tools,
    });
    const result = await generateText({ ...guarded, messages });
    return { sent, result };
  }

  it.each([
    { title: 'the whole history', kept: [ASKED, ...MAIL] },
    { title: 'a history without what the model has read', kept: [ASKED] },
  ])('is not made if the run is resumed as approved with $title', async ({ kept }) => {
    const boundary = boundaryWith({ gate: { table: { send: { content: 'ask' } } } });
    const { result } = await request(boundary, [ASKED, ...MAIL], [CALL]);
    const [held] = await boundary.pending({});
    await boundary.settle(held?.id ?? '', { outcome: 'reject', by: 'ann' });
    const asked = result.content.filter(({ type }) => type === 'tool-approval-request') as { approvalId: string }[];
    expect(asked).toHaveLength(1);
    const answers = asked.map(({ approvalId }) => ({
      ...{ type: 'tool-approval-response' as const, approvalId, approved: true },
    }));
    const resumed: ModelMessage[] = [...kept, ...result.response.messages, { role: 'tool', content: answers }];
    const { sent, result: final } = await request(boundary, resumed, []);
    expect(sent).toEqual([]);
    expect(JSON.stringify(final.responseMessages)).toContain('a person was asked and has declined it');
  });
});
