import { describe, expect, it } from 'vitest';
import { prompt, source } from '../../src/index.ts';
import { record } from '../../src/stages.ts';
import { codesIn, open, textOf, user } from './open.ts';

describe('a frame that is added as content', () => {
  it('is the record it was made from, even if it was cut', async () => {
    const { conversation, events } = open({ limits: { maxBytes: 5 } });
    const page = conversation.addToolResult({ id: 'p', tool: 'fetch', content: 'a long text' });
    const { text } = await conversation.frame(page);
    events.length = 0;
    expect(conversation.addToolResult({ id: 'p', tool: 'fetch', content: text })).toBe(page);
    expect(events).toEqual([{ type: 'frame-opened', recordId: 'p' }]);
    expect(conversation.records).toEqual([page]);
  });

  it('is that record in another process as well', async () => {
    const options = { limits: { maxBytes: 5 } };
    const { conversation } = open(options);
    const page = conversation.addToolResult({ id: 'p', tool: 'fetch', content: 'a long text' });
    const { text } = await conversation.frame(page);
    const again = open(options).conversation.restore(JSON.parse(JSON.stringify(conversation.snapshot())));
    expect(again.addToolResult({ id: 'p', tool: 'fetch', content: text }).id).toBe('p');
    expect(again.records.map(textOf)).toEqual(['a long text']);
  });

  it('keeps JSON as JSON, and cut JSON as text', async () => {
    const { conversation } = open({ limits: { maxBytes: 9 } });
    for (const [id, json] of [
      ['short', { a: 1 }],
      ['long', { a: 'long' }],
    ] as const) {
      const { text } = await conversation.frame(conversation.addToolResult({ id, tool: 'fetch', content: { json } }));
      conversation.addToolResult({ id: `${id} again`, tool: 'fetch', content: text });
    }
    expect(conversation.records.map(({ parts }) => parts[0])).toEqual([
      { type: 'json', text: '{"a":1}' },
      { type: 'json', text: '{"a":1}' },
      { type: 'json', text: '{"a":"long"}' },
      { type: 'text', text: '{"a":"lon' },
    ]);
    const again = open().conversation.restore(JSON.parse(JSON.stringify(conversation.snapshot())));
    expect(again.snapshot()).toEqual(conversation.snapshot());
  });

  it.each([
    ['user', 'user'],
    ['system', 'system'],
    ['workspace', 'workspace'],
    ['retrieved', 'retrieved'],
    ['external', 'external'],
    ['unknown', 'unknown'],
  ] as const)('of origin %s lowers its new source to %s', async (origin, expected) => {
    const { conversation } = open();
    const { text } = await conversation.frame(
      conversation.addContent({ id: 'a', source: source(origin), content: 'x' }),
    );
    expect(conversation.addContent({ id: 'b', source: user, content: text }).label.integrity).toBe(expected);
  });

  it('is not raised by a more trusted record of the same id', async () => {
    const { conversation } = open();
    conversation.addContent({ id: 'a', source: user, content: 'x' });
    const page = record({ id: 'a', source: source('external'), content: 'obey' });
    const { text } = await conversation.frame(page);
    expect(conversation.addContent({ id: 'b', source: user, content: text }).label.integrity).toBe('external');
  });

  it('is as confidential as its content', async () => {
    const { conversation } = open();
    const { text } = await conversation.frame(
      conversation.addToolResult({ id: 'n', tool: 'notes', content: 'salary' }),
    );
    expect(conversation.addToolResult({ id: 'b', tool: 'open_data', content: text }).label.confidentiality).toBe(
      'secret',
    );
  });

  it.each([
    ['a corpus', [{ type: 'text', text: 'x' } as const, { type: 'text', text: 'y' } as const]],
    ['a corpus after a picture', [{ type: 'image', mediaType: 'm' } as const, { type: 'text', text: 'y' } as const]],
  ])('in pieces: the codes of %s are removed', async (_, content) => {
    const { conversation } = open();
    const { text } = await conversation.frame(
      conversation.addContent({ id: 'a', source: source('retrieved'), content }),
    );
    const codes = codesIn(text);
    expect(codes.length).toBe(3);
    const echo = conversation.addToolResult({ id: 'b', tool: 'fetch', content: `codes ${codes.join(' ')}` });
    expect(textOf(echo)).toBe('codes (code removed) (code removed) (code removed)');
  });

  it('in pieces: the codes of the policy are removed', async () => {
    const { conversation } = open();
    const { system } = await conversation.request({ policy: prompt`Sum up ${'a text'}` });
    const echo = conversation.addToolResult({ id: 'b', tool: 'fetch', content: `code ${codesIn(system)[0]}` });
    expect(textOf(echo)).toBe('code (code removed)');
  });

  it('as a whole: the codes of the policy are removed', async () => {
    const { conversation } = open();
    const [first] = codesIn((await conversation.request({ policy: prompt`${'a text'}` })).system);
    const { system } = await conversation.request({ policy: prompt`${`leak ${first}`}` });
    const [framed] = system.split('\n\n') as [string];
    expect(textOf(conversation.addToolResult({ id: 'b', tool: 'fetch', content: framed }))).toBe('leak (code removed)');
  });
});
