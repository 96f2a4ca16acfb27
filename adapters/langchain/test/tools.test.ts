import { RunnableLambda } from '@langchain/core/runnables';
import { Command, END, MemorySaver, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { ToolNode, toolsCondition } from '@langchain/langgraph/prebuilt';
import type { Ask } from '@sallyport/core';
import type { HeldCall } from '@sallyport/langchain';
import { type AIMessage, HumanMessage, ToolMessage } from 'langchain';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  ASK,
  calls,
  converse,
  guarded,
  opened,
  PAY,
  READ,
  resultsIn,
  scripted,
  sent,
  THREAD,
  TO_BOB,
  TO_EVIL,
  toolbox,
} from './stage.ts';

const ASKED = { messages: [new HumanMessage(ASK)] };

/** A graph of one's own. */
function graphOf(turns: readonly AIMessage[], checkpointer = new MemorySaver(), options: { readonly ask?: Ask } = {}) {
  const box = toolbox();
  const model = scripted(...turns);
  const { model: chat, tools } = guarded({ model, tools: box.tools, ...options });
  const bound = chat.bindTools(tools);
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('model', async ({ messages }) => ({ messages: [await bound.invoke(messages)] }))
    .addNode('tools', new ToolNode(tools))
    .addEdge(START, 'model')
    .addConditionalEdges('model', toolsCondition, ['tools', END])
    .addEdge('tools', 'model')
    .compile({ checkpointer });
  const run = async (input: object) => {
    const { __interrupt__: interrupts = [] } = (await graph.invoke(input as never, THREAD)) as {
      __interrupt__?: { value: HeldCall }[];
    };
    return interrupts.map(({ value }) => value);
  };
  return { ...box, model, run, checkpointer };
}

describe('tools of a ToolNode', () => {
  test('run behind the gate, and a refusal stays unchanged', async () => {
    const { run, model, ran } = graphOf([calls(READ), calls(TO_EVIL, TO_BOB)]);
    expect(await run(ASKED)).toEqual([]);
    expect(ran.map(({ args }) => args.to)).toEqual([undefined, 'bob@work.example']);
    const [mail, refused, sentMail] = resultsIn(sent(model, 2));
    expect(opened(mail?.content)).toContain('The minutes.');
    expect(refused).toMatchObject({ status: 'error', name: 'send_mail' });
    expect(refused?.text).toMatch(/The call was not made/);
    expect(opened(sentMail?.content)).toBe('sent');
  });

  test('stop the run for a person, who may answer in another process', async () => {
    for (const [answer, times] of [
      ['approve', 1],
      ['decline', 0],
    ] as const) {
      const first = graphOf([calls(PAY)]);
      const [held] = await first.run(ASKED);
      expect(held).toMatchObject({ tool: 'pay', arguments: PAY.args });
      const second = graphOf([], first.checkpointer);
      expect(await second.run(new Command({ resume: answer }))).toEqual([]);
      expect(second.runsOf('pay')).toBe(times);
      expect(first.runsOf('pay')).toBe(0);
    }
  });

  test('ignore an answer to another call of the same node', async () => {
    const { run, ran } = graphOf([calls(PAY, { name: 'pay', args: { account: 'GB94' } })]);
    const [held] = await run(ASKED);
    expect(await run(new Command({ resume: 'approve' }))).toHaveLength(1);
    expect(ran).toEqual([]);
    const [other] = await run(new Command({ resume: { [held?.id ?? '']: 'approve' } }));
    expect(other?.id).not.toBe(held?.id);
    await run(new Command({ resume: { [other?.id ?? '']: 'decline' } }));
    expect(ran.filter(({ args }) => args.account === 'GB94')).toEqual([]);
  });

  test('ask by a function', async () => {
    const { run, runsOf } = graphOf([calls(PAY)], undefined, { ask: () => ({ by: 'ann' }) });
    expect(await run(ASKED)).toEqual([]);
    expect(runsOf('pay')).toBe(1);
  });
});

describe('a tool that is called directly', () => {
  const call = { ...PAY, id: 'c1', type: 'tool_call' as const };

  test('cannot ask outside of a run: a held call is not made', async () => {
    const box = toolbox();
    const conversation = converse();
    await conversation.render([{ type: 'user', content: ASK }]);
    const [, , pay] = guarded({ conversation, tools: box.tools }).tools;
    const refused = await pay?.invoke(call);
    expect(ToolMessage.isInstance(refused)).toBe(true);
    await expect(pay?.invoke(PAY.args)).rejects.toThrow(/approv|The call/);
    await expect(pay?.call(PAY.args)).rejects.toThrow(/approv|The call/);
    await expect(pay?.batch([PAY.args])).rejects.toThrow(/approv|The call/);
    expect(box.ran).toEqual([]);
  });

  test('is checked against the history of its state, in a list or an object, and denied without one', async () => {
    const messages = [new HumanMessage(ASK), calls({ ...TO_BOB, id: 'c1' })];
    for (const [state, times] of [
      [messages, 1],
      [{ messages }, 1],
      [undefined, 0],
    ] as const) {
      const box = toolbox();
      const [, send] = guarded({ tools: box.tools }).tools;
      await send?.invoke({ ...TO_BOB, id: 'c1', type: 'tool_call' }, { state } as never);
      expect(box.runsOf('send_mail')).toBe(times);
    }
  });

  test('may be made from a runnable, and a tool that the provider runs stays a description', async () => {
    let ran = 0;
    const runnable = RunnableLambda.from(async () => `${++ran}`).asTool({
      name: 'pay',
      description: 'x',
      schema: z.object({}),
    });
    const hosted = { type: 'web_search' };
    const tools = [runnable, hosted] as const;
    const [pay, search] = guarded({ tools, ask: () => undefined }).tools;
    await expect(pay.invoke({} as never)).rejects.toThrow();
    expect([ran, search]).toEqual([0, hosted]);
  });
});
