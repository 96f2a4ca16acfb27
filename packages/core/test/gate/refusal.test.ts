import { describe, expect, it } from 'vitest';
import { type Conversation, createBoundary, type Turn } from '../../src/index.ts';
import { signs, TOOLS } from '../world.ts';

const USER: Turn = { type: 'user', content: 'Read the mail, order lamps and write to bob@shop.example.' };
const CALL: Turn = { type: 'call', id: 'm', tool: 'readMail', arguments: {} };
const RESULT: Turn = { type: 'result', id: 'm', tool: 'readMail', content: 'The room is 4711.' };

function start(): Conversation {
  return createBoundary({ tools: TOOLS, classifier: signs }).conversation('c');
}

const framesOf = async (conversation: Conversation, turns: readonly Turn[]) =>
  (await conversation.render(turns)).map((framed) => framed?.text);

describe("the gate's text in place of a result", () => {
  const order = { id: 'o', tool: 'order', arguments: { what: 'lamps' } };

  it('is not recorded as content if the call was held', async () => {
    const strict = createBoundary({ tools: TOOLS, classifier: signs, gate: { preset: 'strict' } }).conversation('c');
    await strict.render([USER, CALL, RESULT]);
    const { outcome, result } = await strict.check({ ...order, arguments: { what: 'chairs' } });
    expect(outcome).toBe('ask');
    const answer: Turn = { type: 'result', id: 'o', content: result };
    expect((await framesOf(strict, [USER, CALL, RESULT, answer])).at(-1)).toBeUndefined();
  });

  it("is recorded as the tool's content if the tool ran", async () => {
    const strict = createBoundary({ tools: TOOLS, classifier: signs, gate: { preset: 'strict' } }).conversation('d');
    await strict.render([USER, CALL, RESULT]);
    const { result } = await strict.check({ ...order, arguments: { what: 'chairs' } });
    const conversation = start();
    await conversation.render([USER]);
    expect((await conversation.check(order)).outcome).toBe('allow');
    const [, frame] = await framesOf(conversation, [USER, { type: 'result', id: 'o', content: result }]);
    expect(frame).toContain(result);
    expect(conversation.records.map(({ id }) => id)).toContain('o');
  });
});
