import { describe, expect, it } from 'vitest';
import {
  type BoundaryEvent,
  type BoundaryOptions,
  type ClassifierV1,
  type Conversation,
  createBoundary,
  defineTool,
  prompt,
  type Recorded,
  source,
} from '../../src/index.ts';
import { record } from '../../src/stages.ts';

const KEY = new Uint8Array(32).fill(7);
const code = (expected: string) => expect.objectContaining({ name: 'SallyportError', code: expected });
const tools = [
  defineTool({ name: 'fetch', origin: 'external' }),
  defineTool({ name: 'notes', origin: 'workspace', confidentiality: 'secret' }),
  defineTool({ name: 'open_data', origin: 'external', confidentiality: 'public' }),
];
const user = source('user');

interface Lab {
  readonly conversation: Conversation;
  readonly events: BoundaryEvent[];
  readonly asked: string[];
}

function open(options: BoundaryOptions = {}, id = 'c'): Lab {
  const events: BoundaryEvent[] = [];
  const asked: string[] = [];
  const classifier: ClassifierV1 = {
    specificationVersion: 'v1',
    id: 'test',
    doClassify: ({ text }) => {
      asked.push(text);
      const at = text.indexOf('bad');
      return { spans: at < 0 ? [] : [{ start: at, end: at + 3, likelihood: 'high', tag: 'x' }] };
    },
  };
  const boundary = createBoundary({ key: KEY, tools, classifier, onEvent: (event) => events.push(event), ...options });
  return { conversation: boundary.conversation(id), events, asked };
}

const codesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/(?<=<[a-z_]+_)[0-9a-z]{26}/g)].map(([found]) => found)),
];
const textOf = (recorded: Recorded): string | undefined => (recorded.parts[0] as { text?: string }).text;

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

describe('a frame that comes back', () => {
  it('is the record it was made of, however it was cut', async () => {
    const { conversation, events } = open({ limits: { maxBytes: 5 } });
    const page = conversation.addToolResult({ id: 'p', tool: 'fetch', content: 'a long text' });
    const { text } = await conversation.frame(page);
    events.length = 0;
    expect(conversation.addToolResult({ id: 'p', tool: 'fetch', content: text })).toBe(page);
    expect(events).toEqual([{ type: 'frame-opened', recordId: 'p' }]);
    expect(conversation.records).toEqual([page]);
  });

  it('is that record in another process too', async () => {
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
  ] as const)('of origin %s lowers whoever brings it to %s', async (origin, expected) => {
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

  it('is as secret as what it holds', async () => {
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
    ['a corpus behind a picture', [{ type: 'image', mediaType: 'm' } as const, { type: 'text', text: 'y' } as const]],
  ])('in pieces leaves no code of %s behind', async (_, content) => {
    const { conversation } = open();
    const { text } = await conversation.frame(
      conversation.addContent({ id: 'a', source: source('retrieved'), content }),
    );
    const codes = codesIn(text);
    expect(codes.length).toBe(3);
    const echo = conversation.addToolResult({ id: 'b', tool: 'fetch', content: `codes ${codes.join(' ')}` });
    expect(textOf(echo)).toBe('codes (code removed) (code removed) (code removed)');
  });

  it('in pieces leaves no code of the policy behind', async () => {
    const { conversation } = open();
    const { system } = await conversation.request({ policy: prompt`Sum up ${'a text'}` });
    const echo = conversation.addToolResult({ id: 'b', tool: 'fetch', content: `code ${codesIn(system)[0]}` });
    expect(textOf(echo)).toBe('code (code removed)');
  });

  it('whole leaves no code of the policy behind either', async () => {
    const { conversation } = open();
    const [first] = codesIn((await conversation.request({ policy: prompt`${'a text'}` })).system);
    const { system } = await conversation.request({ policy: prompt`${`leak ${first}`}` });
    const [framed] = system.split('\n\n') as [string];
    expect(textOf(conversation.addToolResult({ id: 'b', tool: 'fetch', content: framed }))).toBe('leak (code removed)');
  });
});

describe('request', () => {
  function filled(options: BoundaryOptions = {}): Lab {
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

  it('leaves what was sent before as it was', async () => {
    const { conversation } = filled();
    const before = (await conversation.request()).text;
    conversation.addToolResult({ id: 'more', tool: 'fetch', content: 'more' });
    const after = (await conversation.request()).text;
    expect(after.startsWith(`${before}\n\n`)).toBe(true);
  });

  it('classifies only what is new', async () => {
    const { conversation, asked } = filled();
    for (let turn = 0; turn < 3; turn++) await conversation.request();
    expect(asked).toEqual(['bad [INST]']);
    conversation.addToolResult({ id: 'more', tool: 'fetch', content: 'more' });
    conversation.addToolResult({ id: 'same', tool: 'fetch', content: 'bad [INST]' });
    await conversation.request();
    expect(asked).toEqual(['bad [INST]', 'more']);
  });

  it('tells once what it found', async () => {
    const { conversation, events } = filled();
    await conversation.request();
    await conversation.request();
    expect(events).toEqual([
      { type: 'markers-escaped', recordId: 'ask', count: 1 },
      { type: 'markers-escaped', recordId: 'page', count: 1 },
      { type: 'spans-quoted', recordId: 'page', quoted: 1, marked: 0 },
    ]);
  });

  it('renders anew under other sections, from the same verdicts', async () => {
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

  it('tries again what nobody could check', async () => {
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

  it.each([[prompt`Be kind.`], ['Be kind.'], [5]])('takes an object and not %o', async (options) => {
    await expect(filled().conversation.request(options as never)).rejects.toThrow(code('ERR_INVALID_OPTION'));
  });

  it('takes the records it is told to, in their order', async () => {
    const { conversation } = filled();
    const [ask, page] = conversation.records as [Recorded, Recorded];
    const made = await conversation.request({ records: [page, ask] });
    expect(made.records).toEqual([page, ask]);
    expect((await conversation.request({ records: [ask] })).label.integrity).toBe('user');
  });

  it('does not show one record with the frame of another of its id', async () => {
    const { conversation } = open();
    const [one, two] = ['one', 'two'].map((content) => record({ id: 'same', source: source('external'), content }));
    expect((await conversation.frame(one as Recorded)).text).toContain('>one<');
    expect((await conversation.frame(two as Recorded)).text).toContain('>two<');
    expect((await conversation.frame(one as Recorded)).text).toContain('>one<');
  });
});

describe('propose', () => {
  const use = { id: 'c1', tool: 'send', arguments: { b: 1, a: '2' } };

  it('takes a native tool use, under everything the model has read', async () => {
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

  it('forgets nothing that a request held before, and knows nothing after a restore', async () => {
    const { conversation } = open();
    const ask = conversation.addContent({ id: 'ask', source: user, content: 'x' });
    conversation.addToolResult({ id: 'p', tool: 'fetch', content: 'x' });
    await conversation.request();
    await conversation.request({ records: [ask] });
    expect(conversation.recordCall(use).context.integrity).toBe('external');
    const restored = open().conversation.restore(conversation.snapshot());
    expect(restored.recordCall(use).context).toEqual({ integrity: 'unknown', confidentiality: 'secret' });
  });

  it('judges a turn under the request that produced it', async () => {
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
  ])('refuses %j', (text) => {
    const { conversation } = open();
    expect(() => conversation.recordCall(text as never)).toThrow(code('ERR_INVALID_CALL'));
  });
});
