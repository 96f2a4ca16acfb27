import { describe, expect, it } from 'vitest';
import type { Conversation } from '../../src/index.ts';
import { code, open, textOf, tools, user } from './open.ts';

describe('admit', () => {
  it('names records by their place when nobody else does', () => {
    const { conversation } = open();
    for (const content of ['a', 'b']) conversation.addContent({ source: user, content });
    expect(conversation.records.map(({ id }) => id)).toEqual(['record-1', 'record-2']);
  });

  it('takes the source from the definition of the tool', () => {
    const { conversation } = open();
    expect(conversation.addToolResult({ tool: 'notes', content: 'x' }).source).toBe(tools[1]?.source);
  });

  it.each([
    [{ content: 'x', source: { origin: 'system' } }, 'ERR_STAGE_SKIPPED'],
    [{ content: 'x', source: null }, 'ERR_STAGE_SKIPPED'],
    [{ content: 'x', source: user, tool: 'fetch' }, 'ERR_INVALID_OPTION'],
    [{ content: 'x', tool: tools[0] }, 'ERR_INVALID_NAME'],
    [{ content: 'x', source: user, derivedFrom: [{ id: 'x' }] }, 'ERR_STAGE_SKIPPED'],
    [{ content: 'x', source: user, label: { integrity: 'user' } }, 'ERR_INVALID_LABEL'],
    [{ content: 'x', source: user, id: '' }, 'ERR_INVALID_NAME'],
    [{ content: 5, source: user }, 'ERR_INVALID_CONTENT'],
    [{ source: user }, 'ERR_INVALID_CONTENT'],
  ])('refuses %j with %s, and keeps nothing', (input, expected) => {
    const { conversation, events } = open();
    expect(() => conversation.addContent(input as never)).toThrow(code(expected));
    expect([conversation.records, events]).toEqual([[], []]);
  });

  it('answers a replay with the record that is there', () => {
    const { conversation, events } = open();
    const first = conversation.addToolResult({ id: 'r', tool: 'fetch', content: 'x' });
    expect(conversation.addToolResult({ id: 'r', tool: 'fetch', content: 'x' })).toBe(first);
    expect(conversation.addContent({ id: 'r', content: 'x' })).toBe(first);
    expect(conversation.addContent({ id: 'r', source: user, content: 'x' })).toBe(first);
    expect([conversation.records, events]).toEqual([[first], []]);
  });

  it('answers a replay of other content with the record of that content', () => {
    const { conversation, events } = open();
    conversation.addToolResult({ id: 'r', tool: 'fetch', content: 'x' });
    const other = conversation.addToolResult({ id: 'r', tool: 'fetch', content: 'y' });
    expect(conversation.addToolResult({ id: 'r', tool: 'fetch', content: 'y' })).toBe(other);
    expect(events).toEqual([{ type: 'record-renamed', recordId: other.id, givenId: 'r' }]);
  });

  it('does not take a newcomer with a lower label for the record that is there', () => {
    const { conversation } = open();
    const asked = conversation.addContent({ id: 'r', source: user, content: 'x' });
    const page = conversation.addToolResult({ id: 'p', tool: 'fetch', content: 'y' });
    const label = { integrity: 'external', confidentiality: 'secret' } as const;
    for (const lower of [{ derivedFrom: [page] }, { label }]) {
      const newcomer = conversation.addContent({ id: 'r', content: 'x', ...lower });
      expect(newcomer).not.toBe(asked);
      expect(newcomer.label.integrity).not.toBe('user');
    }
  });

  it('does not answer with a record that somebody planted under the id to come', () => {
    const second = { id: 'r', tool: 'fetch', content: 'second' } as const;
    const fresh = (): Conversation => {
      const { conversation } = open();
      conversation.addContent({ id: 'r', source: user, content: 'first' });
      return conversation;
    };
    const { id } = fresh().addContent(second);
    const conversation = fresh();
    conversation.addToolResult({ id, tool: 'fetch', content: 'planted' });
    expect(textOf(conversation.addContent(second))).toBe('second');
    expect(conversation.records.map(textOf)).toEqual(['first', 'planted', 'second']);
  });

  it('loses no record to another of the same id, content and origin', () => {
    const { conversation } = open();
    conversation.addContent({ id: 'r', source: user, content: 'first' });
    const open1 = conversation.addToolResult({ id: 'r', tool: 'open_data', content: 'x' });
    const closed = conversation.addToolResult({ id: 'r', tool: 'fetch', content: 'x' });
    expect([open1.label.confidentiality, closed.label.confidentiality]).toEqual(['public', 'private']);
    expect(conversation.records).toContain(open1);
    expect(new Set(conversation.records.map(({ id }) => id)).size).toBe(3);
  });
});
