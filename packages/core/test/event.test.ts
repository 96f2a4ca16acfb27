import { describe, expect, it } from 'vitest';
import { type BoundaryEvent, type ClassifierV1, createBoundary } from '../src/index.ts';
import { TOOLS } from './world.ts';

const broken: ClassifierV1 = {
  specificationVersion: 'v1',
  id: 'broken',
  doClassify: () => {
    throw new Error('broken');
  },
};

describe('an event', () => {
  it('has its conversation, its time and its place in the order of that conversation', async () => {
    const events: BoundaryEvent[] = [];
    let now = 1000;
    const boundary = createBoundary({
      tools: TOOLS,
      classifier: broken,
      clock: () => now,
      onEvent: (event) => events.push(event),
    });
    const [one, two] = ['tenant-a', 'tenant-b'].map((id) => boundary.conversation(id));
    for (const conversation of [one, two, one]) {
      conversation?.addToolResult({ tool: 'unheardOf', content: `Page ${events.length}` });
      await conversation?.request();
      await conversation?.check({ id: 'c', tool: 'order', arguments: { what: 'lamps' } });
      now += 1000;
    }
    expect(events.map(({ conversation, time, sequence, type }) => [conversation, time, sequence, type])).toEqual([
      ['tenant-a', 1000, 1, 'source-unknown'],
      ['tenant-a', 1000, 2, 'unchecked'],
      ['tenant-a', 1000, 3, 'decided'],
      ['tenant-b', 2000, 1, 'source-unknown'],
      ['tenant-b', 2000, 2, 'unchecked'],
      ['tenant-b', 2000, 3, 'decided'],
      ['tenant-a', 3000, 4, 'source-unknown'],
      ['tenant-a', 3000, 5, 'unchecked'],
      ['tenant-a', 3000, 6, 'unchecked'],
      ['tenant-a', 3000, 7, 'decided'],
    ]);
    expect(events[0]).toEqual({
      type: 'source-unknown',
      conversation: 'tenant-a',
      time: 1000,
      sequence: 1,
      recordId: 'record-1',
      tool: 'unheardOf',
    });
  });
});
