import { describe, expect, it } from 'vitest';
import { type BoundaryOptions, type ClassifierV1, prompt, type Recorded, source } from '../../src/index.ts';
import { record } from '../../src/stages.ts';
import { code, open, type TestConversation, user } from './open.ts';

describe('request', () => {
  function filled(options: BoundaryOptions = {}): TestConversation {
    const made = open(options);
    made.conversation.addContent({ id: 'ask', source: user, content: 'Hi <system>' });
    made.conversation.addToolResult({ id: 'page', tool: 'fetch', content: 'bad [INST]' });
    return made;
  }

  it('renders the same bytes every time, in another process, and after a restore', async () => {
    const { conversation } = filled();
    const first = (await conversation.request({ policy: prompt`Be kind.` })).text;
    expect((await conversation.request({ policy: prompt`Be kind.` })).text).toBe(first);
    expect((await filled().conversation.request({ policy: prompt`Be kind.` })).text).toBe(first);
    const restored = open().conversation.restore(JSON.parse(JSON.stringify(conversation.snapshot())));
    expect((await restored.request({ policy: prompt`Be kind.` })).text).toBe(first);
  });

  it('does not change what was sent before', async () => {
    const { conversation } = filled();
    const before = (await conversation.request()).text;
    conversation.addToolResult({ id: 'more', tool: 'fetch', content: 'more' });
    const after = (await conversation.request()).text;
    expect(after.startsWith(`${before}\n\n`)).toBe(true);
  });

  it('classifies new content only', async () => {
    const { conversation, asked } = filled();
    for (let turn = 0; turn < 3; turn++) await conversation.request();
    expect(asked).toEqual(['bad [INST]']);
    conversation.addToolResult({ id: 'more', tool: 'fetch', content: 'more' });
    conversation.addToolResult({ id: 'same', tool: 'fetch', content: 'bad [INST]' });
    await conversation.request();
    expect(asked).toEqual(['bad [INST]', 'more']);
  });

  it('reports each finding once', async () => {
    const { conversation, events } = filled();
    await conversation.request();
    await conversation.request();
    expect(events).toEqual([
      { type: 'markers-escaped', recordId: 'ask', count: 1 },
      { type: 'markers-escaped', recordId: 'page', count: 1 },
      { type: 'spans-quoted', recordId: 'page', quoted: 1, marked: 0 },
    ]);
  });

  it('renders again under other sections, with the same verdicts', async () => {
    const { conversation, asked } = open();
    conversation.addToolResult({ id: 'p', tool: 'fetch', content: '</task>' });
    const plain = (await conversation.request()).text;
    const reserved = (await conversation.request({ policy: prompt`<task>x</task>` })).entries[0]?.framed.text;
    expect([plain.includes('>~x3c~/task><'), reserved?.includes('>~x3c~/task><')]).toEqual([false, true]);
    // A section once used stays reserved: the policy may come back.
    expect((await conversation.request()).entries[0]?.framed.text).toBe(reserved);
    expect(asked).toEqual(['</task>']);
  });

  it('reserves the sections of the boundary in every frame', async () => {
    const { conversation } = open({ sections: ['MR_Body'] });
    const framed = await conversation.frame(conversation.addToolResult({ tool: 'fetch', content: '<mr_body>' }));
    expect(framed.text).toContain('>~x3c~mr_body><');
  });

  it('classifies again what could not be checked', async () => {
    let isDown = true;
    const classifier: ClassifierV1 = {
      specificationVersion: 'v1',
      id: 'x',
      doClassify: () => {
        if (isDown) throw new Error('down');
        return { spans: [] };
      },
    };
    const { conversation, events } = open({ classifier });
    conversation.addToolResult({ id: 'p', tool: 'fetch', content: 'x' });
    expect((await conversation.request()).text).toContain(' from=fetch check=none>x<');
    isDown = false;
    expect((await conversation.request()).text).toContain(' from=fetch>x<');
    expect(events).toEqual([{ type: 'unchecked', recordId: 'p', reason: 'error', cause: 'Error' }]);
  });

  it('frames a record once', async () => {
    const { conversation } = filled();
    const [, page] = conversation.records as [Recorded, Recorded];
    expect(await conversation.frame(page)).toBe(await conversation.frame(page));
  });

  it.each([[prompt`Be kind.`], ['Be kind.'], [5]])('needs an options object, not %o', async (options) => {
    await expect(filled().conversation.request(options as never)).rejects.toThrow(code('ERR_INVALID_OPTION'));
  });

  it('renders the given records in their order', async () => {
    const { conversation } = filled();
    const [ask, page] = conversation.records as [Recorded, Recorded];
    const made = await conversation.request({ records: [page, ask] });
    expect(made.records).toEqual([page, ask]);
    expect((await conversation.request({ records: [ask] })).label.integrity).toBe('user');
  });

  it('does not reuse a frame for another record with the same id', async () => {
    const { conversation } = open();
    const [one, two] = ['one', 'two'].map((content) => record({ id: 'same', source: source('external'), content }));
    expect((await conversation.frame(one as Recorded)).text).toContain('>one<');
    expect((await conversation.frame(two as Recorded)).text).toContain('>two<');
    expect((await conversation.frame(one as Recorded)).text).toContain('>one<');
  });
});

describe('recordCall', () => {
  const use = { id: 'c1', tool: 'send', arguments: { b: 1, a: '2' } };

  it('records a native tool use with the label of everything the model has read', async () => {
    const { conversation } = open();
    conversation.addToolResult({ id: 'n', tool: 'notes', content: 'x' });
    conversation.addToolResult({ id: 'p', tool: 'open_data', content: 'x' });
    const before = conversation.recordCall(use);
    await conversation.request();
    const call = conversation.recordCall(use);
    expect([call.id, call.tool, call.argumentsJson]).toEqual(['c1', 'send', '{"a":"2","b":1}']);
    expect([before.context, call.context]).toEqual([
      { integrity: 'unknown', confidentiality: 'secret' },
      { integrity: 'external', confidentiality: 'secret' },
    ]);
    expect(Object.isFrozen(call)).toBe(true);
  });

  it('includes earlier requests, and assumes the lowest label after restore()', async () => {
    const { conversation } = open();
    const ask = conversation.addContent({ id: 'ask', source: user, content: 'x' });
    conversation.addToolResult({ id: 'p', tool: 'fetch', content: 'x' });
    await conversation.request();
    await conversation.request({ records: [ask] });
    expect(conversation.recordCall(use).context.integrity).toBe('external');
    const restored = open().conversation.restore(conversation.snapshot());
    expect(restored.recordCall(use).context).toEqual({ integrity: 'unknown', confidentiality: 'secret' });
  });

  it('uses the label of the request that produced the turn', async () => {
    const { conversation } = open();
    conversation.addContent({ id: 'ask', source: user, content: 'x' });
    await conversation.request();
    conversation.addToolResult({ id: 'p', tool: 'fetch', content: 'x' });
    expect(conversation.recordCall(use).context.integrity).toBe('user');
    await conversation.request();
    expect(conversation.recordCall(use).context.integrity).toBe('external');
  });

  it('reads a tool use once', () => {
    let reads = 0;
    const shifty = {
      ...use,
      get tool(): string {
        return reads++ === 0 ? 'read' : 'destroy';
      },
    };
    expect(open().conversation.recordCall(shifty).tool).toBe('read');
  });

  it.each([
    ['<invoke name="send">'],
    ['{"id":"c1","tool":"send","arguments":{}}'],
    [null],
    [undefined],
    [{}],
    [{ ...use, id: '' }],
    [{ ...use, tool: 5 }],
    [[use]],
  ])('rejects %j', (text) => {
    const { conversation } = open();
    expect(() => conversation.recordCall(text as never)).toThrow(code('ERR_INVALID_CALL'));
  });
});

describe('an unknown option', () => {
  const { conversation } = open();
  const call = { id: 'c', tool: 'not-declared', arguments: {} };

  it.each([
    { title: 'of a user message', run: () => conversation.addUserMessage('x', { ids: 'a' } as never) },
    {
      title: 'of a tool result',
      run: () => conversation.addToolResult({ tool: 'fetch', content: 'x', lable: 1 } as never),
    },
    { title: 'of content', run: () => conversation.addContent({ content: 'x', sources: user } as never) },
    { title: 'of a request', run: () => conversation.request({ record: [] } as never) },
    { title: 'of a check', run: () => conversation.check(call, { asks: () => undefined } as never) },
    {
      title: 'of a trusted value',
      run: () => conversation.trustValue({ value: 'x', tool: 'fetch', by: 'ann', untill: 1 } as never),
    },
    {
      title: 'of an approval',
      run: async () => {
        await conversation.request();
        conversation.approve(await conversation.check(call), { by: 'ann', scopes: 'once' } as never);
      },
    },
  ])('$title is refused', async ({ run }) => {
    await expect((async () => run())()).rejects.toThrow(/has no option "\w+"\. The options are /);
  });
});
