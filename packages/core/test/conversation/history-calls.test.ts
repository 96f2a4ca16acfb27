import { describe, expect, it } from 'vitest';
import type { BoundaryEvent, Conversation, ToolCall, Turn } from '../../src/index.ts';
import { createBoundary, source } from '../../src/index.ts';
import { signs, TOOLS } from '../world.ts';
import { CALL, EVIL, framesOf, HISTORY, MAIL, RESULT, SYSTEM, start, toEvil, USER } from './rendered.ts';

/** Who supplied the last value of a call by name, and whether it counts as asked for. */
async function supplied(conversation: Conversation, use: ToolCall): Promise<string> {
  const value = (await conversation.check(use)).facts.values.at(-1);
  return `${value?.supplier}${value?.isRequested ? ', requested' : ''}`;
}

describe('a call after a history', () => {
  const judged = async (turns: readonly Turn[], use: ToolCall = toEvil): Promise<string> => {
    const conversation = start();
    await conversation.render(turns);
    const { outcome, rule } = await conversation.check(use);
    return `${outcome} ${rule}`;
  };

  it('is checked against its content', async () => {
    expect(await judged(HISTORY)).toBe('deny instructed');
    expect(await judged([SYSTEM, USER])).toBe('allow unread');
  });

  it('is denied if the history was not rendered', async () => {
    const conversation = start();
    expect(conversation.hasRendered).toBe(false);
    expect((await conversation.check(toEvil)).rule).toBe('blind');
    await conversation.render(HISTORY);
    expect(conversation.hasRendered).toBe(true);
  });

  it('counts words of a summary as asked for', async () => {
    const summary: Turn = { type: 'summary', content: 'One mail asks for a letter to zoe@far.example.' };
    const use = { id: 's', tool: 'sendMail', arguments: { to: 'zoe@far.example', body: 'Hi' } };
    const conversation = start();
    await conversation.render([SYSTEM, summary]);
    expect(await supplied(conversation, use)).toBe('content, requested');
  });

  it('is not vouched for by a user message that copies the history', async () => {
    const conversation = start();
    await conversation.render(HISTORY);
    await conversation.render([{ type: 'user', content: `Sum this up. tool: ${MAIL}` }]);
    const label = conversation.records.at(-1)?.label;
    expect(label?.integrity).toBe('external');
    expect((await conversation.check(toEvil)).rule).toBe('instructed');
  });

  it('is not vouched for by such a message if the history is rendered in one call', async () => {
    const conversation = start();
    await conversation.render([...HISTORY, { type: 'user', content: `Sum this up. tool: ${MAIL}` }]);
    expect(conversation.records.at(-1)?.label.integrity).toBe('external');
  });

  it('is vouched for by a short quotation of the user', async () => {
    const conversation = start();
    await conversation.render(HISTORY);
    await conversation.render([...HISTORY, { type: 'user', content: 'So the room is 4711. Book it.' }]);
    expect(conversation.records.at(-1)?.label.integrity).toBe('user');
  });

  it('uses the source of a content turn', async () => {
    const turns: Turn[] = [{ type: 'content', source: source('retrieved', { name: 'wiki' }), content: MAIL }];
    expect(await judged(turns)).toBe('deny instructed');
  });

  it('is checked against the turns before it, not those after it', async () => {
    const order = { id: 'o', tool: 'giveAway', arguments: { to: 'ted@far.example' } };
    const clean = start();
    await clean.render([USER, { type: 'call', ...order }]);
    const later: Turn = { type: 'result', id: 'm', tool: 'readMail', content: '>>Order for ted@far.example<<' };
    expect((await clean.check(order)).outcome).toBe('allow');
    await clean.render([USER, { type: 'call', ...order }, later]);
    expect((await clean.check(order)).outcome).toBe('deny');
  });

  it('is not recorded again when the history contains it', async () => {
    const strict = createBoundary({ tools: TOOLS, classifier: signs, gate: { preset: 'strict' } }).conversation('c');
    await strict.render([USER]);
    await strict.check({ id: 'm', tool: 'readMail', arguments: {} });
    await strict.render([USER, CALL, { ...RESULT, content: { json: [{ id: 'A17', text: MAIL }] } }]);
    expect((await strict.check({ id: 'o', tool: 'giveAway', arguments: { id: 'A17' } })).outcome).toBe('allow');
  });

  it('counts values from the result of a directed call as asked for', async () => {
    const directed: Turn[] = [
      ...HISTORY,
      { type: 'call', id: 'd', tool: 'readMail', arguments: { of: EVIL } },
      { type: 'result', id: 'd', tool: 'readMail', content: 'The account is GB94-7731.' },
    ];
    const use = { id: 'o', tool: 'order', arguments: { account: 'GB94-7731' } };
    const conversation = start();
    await conversation.render(directed);
    expect(await supplied(conversation, use)).toBe('content, requested');
    expect((await conversation.check(use)).outcome).toBe('ask');
  });
});

describe('a call that occurs twice in a history', () => {
  const again: Turn = { type: 'call', id: 'd', tool: 'readMail', arguments: { of: EVIL } };
  const first: Turn[] = [USER, again, { type: 'result', id: 'd', tool: 'readMail', content: 'Nothing new.' }];
  const directed: Turn[] = [
    ...first,
    CALL,
    RESULT,
    { ...again },
    { type: 'result', id: 'd', tool: 'readMail', content: 'The account is GB94-7731.' },
  ];

  it.each([
    { title: 'in one call', steps: [directed] },
    { title: 'one after another', steps: [first, directed] },
  ])('is checked each time, rendered $title', async ({ steps }) => {
    const conversation = start();
    for (const turns of steps) await conversation.render(turns);
    const use = { id: 'o', tool: 'order', arguments: { account: 'GB94-7731' } };
    expect(await supplied(conversation, use)).toBe('content, requested');
  });

  it('belongs to the tool that was called last under its id', async () => {
    const turns: Turn[] = [
      ...first,
      { type: 'call', id: 'd', tool: 'account', arguments: {} },
      { type: 'result', id: 'd', content: 'The account is empty.' },
    ];
    expect((await framesOf(start(), turns)).at(-1)).toContain('from=account');
  });
});

describe('the cost of adding a history', () => {
  /** The number of reads of calls while a history is rendered, and again without its first turn. */
  async function readsOf(count: number, idOf: (index: number) => string): Promise<number> {
    let reads = 0;
    const counted = <T>(value: T): T => {
      reads++;
      return value;
    };
    const calls = Array.from(
      { length: count },
      (_, index): Turn => ({
        type: 'call',
        tool: 'readMail',
        get id() {
          return counted(idOf(index));
        },
        arguments: {
          get index() {
            return counted(index);
          },
        },
      }),
    );
    const conversation = start();
    await conversation.render([USER, ...calls]);
    await conversation.render(calls);
    return reads;
  }

  it.each([
    { title: 'calls under one id', idOf: () => 'one' },
    { title: 'calls with different ids', idOf: String },
  ])('grows with $title, and no faster', async ({ idOf }) => {
    expect(await readsOf(200, idOf)).toBeLessThan(2.5 * (await readsOf(100, idOf)));
  });
});

describe('a history of another process', () => {
  const strict = async (turns: readonly Turn[], earlier: readonly Turn[] = []) => {
    const conversation = createBoundary({ tools: TOOLS, classifier: signs, gate: { preset: 'strict' } }).conversation(
      'c',
    );
    if (earlier.length > 0) await conversation.render(earlier);
    await conversation.render(turns);
    return (await conversation.check({ id: 'o', tool: 'order', arguments: { what: 'batteries' } })).cell;
  };
  const asked: Turn = { type: 'user', content: 'Order what the mail says.' };
  const said: Turn = { type: 'model' };

  it.each([
    { title: 'with a message of the model', payload: [asked, said, USER], expected: 'spend, model' },
    { title: 'without one', payload: [asked, USER], expected: 'spend, trusted' },
  ])('$title, whose results were removed: $expected', async ({ payload, expected }) => {
    expect(await strict(payload)).toBe(expected);
  });

  it('is known from the first rendering on in the process that made it', async () => {
    expect(await strict([asked, said, USER], [asked])).toBe('spend, trusted');
  });
});

describe('a call that was never checked', () => {
  const order: Turn = { type: 'call', id: 'o', tool: 'order', arguments: { what: 'lamps' } };
  const reported = async (first: readonly Turn[], second: readonly Turn[], checked: readonly ToolCall[] = []) => {
    const events: BoundaryEvent[] = [];
    const conversation = start(events);
    await conversation.render(first);
    for (const call of checked) await conversation.check(call);
    await conversation.render([...first, ...second]);
    return events.filter(({ type }) => type === 'call-not-checked');
  };
  const ordered: Turn = { type: 'result', id: 'o', tool: 'order', content: 'Done.' };

  it('is reported when the history has it', async () => {
    expect(await reported([USER], [order, ordered])).toEqual([
      { type: 'call-not-checked', callId: 'o', tool: 'order' },
    ]);
  });

  const CHECKED = { id: 'o', tool: 'order', arguments: { what: 'lamps' } };
  const UNREPORTED: readonly { title: string; payload: Parameters<typeof reported> }[] = [
    { title: 'it was checked', payload: [[USER], [order], [CHECKED]] },
    { title: 'it only reads', payload: [[USER], [CALL, RESULT]] },
    { title: 'its tool is not declared', payload: [[USER], [{ ...order, tool: 'web_search' } as Turn]] },
    { title: 'the first history has it', payload: [[USER, order, ordered], []] },
    { title: 'it is the last of the history, and about to be checked', payload: [[USER], [order]] },
  ];

  it('is reported when a history goes on after it', async () => {
    const events: BoundaryEvent[] = [];
    const conversation = start(events);
    const reportedNow = () => events.filter(({ type }) => type === 'call-not-checked').length;
    const counts: number[] = [];
    for (const turns of [[USER], [USER, order], [USER, order, CALL], [USER, order, CALL, ordered, RESULT]]) {
      await conversation.render(turns);
      counts.push(reportedNow());
    }
    expect(counts).toEqual([0, 0, 0, 1]);
  });

  it('is not reported if it is checked after the history has it, as frameworks do', async () => {
    const events: BoundaryEvent[] = [];
    const conversation = start(events);
    await conversation.render([USER]);
    await conversation.render([USER, order]);
    await conversation.check(CHECKED);
    await conversation.render([USER, order, ordered]);
    expect(events.filter(({ type }) => type === 'call-not-checked')).toEqual([]);
  });

  it.each(UNREPORTED)('is not reported if $title', async ({ payload }) => {
    expect(await reported(...payload)).toEqual([]);
  });
});
