import { describe, expect, it } from 'vitest';
import type { Conversation } from '../../src/index.ts';
import { code, open, textOf, tools, user } from './open.ts';

describe('admit', () => {
  it('names records without an id by their position', () => {
    const { conversation } = open();
    for (const content of ['a', 'b']) conversation.addContent({ source: user, content });
    expect(conversation.records.map(({ id }) => id)).toEqual(['record-1', 'record-2']);
  });

  it("uses the source of the tool's definition", () => {
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
  ])('rejects %j with %s, and keeps nothing', (input, expected) => {
    const { conversation, events } = open();
    expect(() => conversation.addContent(input as never)).toThrow(code(expected));
    expect([conversation.records, events]).toEqual([[], []]);
  });

  it('returns the existing record for a replay', () => {
    const { conversation, events } = open();
    const first = conversation.addToolResult({ id: 'r', tool: 'fetch', content: 'x' });
    expect(conversation.addToolResult({ id: 'r', tool: 'fetch', content: 'x' })).toBe(first);
    expect(conversation.addContent({ id: 'r', content: 'x' })).toBe(first);
    expect(conversation.addContent({ id: 'r', source: user, content: 'x' })).toBe(first);
    expect([conversation.records, events]).toEqual([[first], []]);
  });

  it('returns the renamed record for a replay of other content', () => {
    const { conversation, events } = open();
    conversation.addToolResult({ id: 'r', tool: 'fetch', content: 'x' });
    const other = conversation.addToolResult({ id: 'r', tool: 'fetch', content: 'y' });
    expect(conversation.addToolResult({ id: 'r', tool: 'fetch', content: 'y' })).toBe(other);
    expect(events).toEqual([{ type: 'record-renamed', recordId: other.id, givenId: 'r' }]);
  });

  it('makes a new record for the same content with a lower label', () => {
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

  it('does not return a record that was planted under the next id', () => {
    const second = { id: 'r', tool: 'fetch', content: 'second' } as const;
    const start = (): Conversation => {
      const { conversation } = open();
      conversation.addContent({ id: 'r', source: user, content: 'first' });
      return conversation;
    };
    const { id } = start().addContent(second);
    const conversation = start();
    conversation.addToolResult({ id, tool: 'fetch', content: 'planted' });
    expect(textOf(conversation.addContent(second))).toBe('second');
    expect(conversation.records.map(textOf)).toEqual(['first', 'planted', 'second']);
  });

  it('keeps records of the same id, content and origin apart', () => {
    const { conversation } = open();
    conversation.addContent({ id: 'r', source: user, content: 'first' });
    const open1 = conversation.addToolResult({ id: 'r', tool: 'open_data', content: 'x' });
    const closed = conversation.addToolResult({ id: 'r', tool: 'fetch', content: 'x' });
    expect([open1.label.confidentiality, closed.label.confidentiality]).toEqual(['public', 'private']);
    expect(conversation.records).toContain(open1);
    expect(new Set(conversation.records.map(({ id }) => id)).size).toBe(3);
  });
});
