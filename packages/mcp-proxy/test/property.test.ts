import type { ClassifierV1 } from '@sallyport/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sayings } from './fixture/frames.ts';
import { KEY, listed, READ, Rig, SEND } from './fixture/rig.ts';
import { HUGE, json, type Saying, saying } from './fixture/server.ts';

/** Lets a server say something, and gives what the client gets: texts. */
async function heard(rig: Rig, said: Saying): Promise<{ readonly text: string; readonly got: string[] }> {
  const id = `id${++asked}`;
  if (said.type === 'answer') {
    const params = said.method === 'tools/call' ? { name: 'read', arguments: {} } : {};
    await rig.say({ jsonrpc: '2.0', id, method: said.method, params });
  }
  const text = JSON.stringify({ jsonrpc: '2.0', ...(said.type === 'answer' ? { id } : {}), ...said.body });
  rig.client.length = 0;
  await rig.tell(text);
  rig.server.length = 0;
  rig.events.length = 0;
  return { text, got: rig.client.splice(0) };
}

/** A tool whose structured content is typed where that is wanted: some fields of it, and any others. */
const OUTPUT = { type: 'object', properties: { text: { type: 'string' }, code: { type: 'number' }, content: {} } };
const TOOLS = [SEND, { ...READ, outputSchema: OUTPUT }];

let asked = 0;

/** Flags every text, so that no definition is accepted and shown without frames. */
const flagging: ClassifierV1 = {
  specificationVersion: 'v1',
  id: 'flagging',
  doClassify: ({ text }) => ({ spans: [{ start: 0, end: text.length, likelihood: 'high', tag: 'imperative' }] }),
};

describe('for any message of a server', () => {
  it('no string of three or more words is outside a frame', async () => {
    // One for many: what was pinned, held and read before is there as well.
    let rig = await listed({ classifier: flagging });
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(saying(40), async (said) => {
        if (++runs % 100 === 0) rig = await listed({ classifier: flagging });
        const { got } = await heard(rig, said);
        if (said.type === 'answer') expect(got).toHaveLength(1);
        for (const text of got) expect(sayings(text)).toEqual([]);
      }),
      { numRuns: 800 },
    );
  });

  it('no string of three or more words is outside a frame, except in definitions that are accepted', async () => {
    let rig = await listed();
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(saying(40), async (said) => {
        if (++runs % 100 === 0) rig = await listed();
        const { got } = await heard(rig, said);
        for (const text of got) {
          const { result, ...rest } = JSON.parse(text);
          const isListing = said.type === 'answer' && said.method === 'tools/list' && Array.isArray(result?.tools);
          const others = isListing ? { ...rest, result: { ...result, tools: [] } } : { ...rest, result };
          expect(sayings(JSON.stringify(others))).toEqual([]);
          // What a definition may not say bare: instructions, imitated tags and frames, hidden characters.
          const bare = isListing ? sayings(JSON.stringify(result.tools)) : [];
          expect(bare.filter((each) => />>|<.?untrusted |<system|<\||\[INST|[\u200b\u202e]/.test(each))).toEqual([]);
        }
      }),
      { numRuns: 400 },
    );
  });

  it('no free text of typed structured content is outside a tag', async () => {
    let tagged = 0;
    const rig = await listed({ structured: 'typed' }, TOOLS);
    await fc.assert(
      fc.asyncProperty(json(60), json(60), async (text, content) => {
        const result = { structuredContent: { text: String(text), content, code: 1 } };
        const { got } = await heard(rig, { type: 'answer', method: 'tools/call', body: { result } });
        for (const each of got) expect(sayings(each).filter((found) => !isField(found))).toEqual([]);
        if (JSON.parse(got[0] ?? '').result.structuredContent !== undefined) tagged++;
      }),
      { numRuns: 150 },
    );
    expect(tagged).toBeGreaterThan(50);
  });

  it('a message without prose passes unchanged', async () => {
    let rig = await listed();
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(saying(0), async (said) => {
        if (++runs % 100 === 0) rig = await listed();
        // What is rewritten although it says nothing: blocks of text, definitions, greetings, structured content, notes of the boundary.
        const body = JSON.stringify(said.body);
        fc.pre(!/"(tools|text|structuredContent|sallyport\/\w+|instructions|serverInfo)":/.test(body));
        fc.pre(said.type !== 'answer' || !['initialize', 'server/discover'].includes(said.method));
        const { text, got } = await heard(rig, said);
        expect(got).toEqual([text]);
      }),
      { numRuns: 400 },
    );
  });

  it.each(
    ['tools/call', 'tools/list', 'server/discover'].flatMap((method) =>
      HUGE.map((body, index) => [method, index, body] as const),
    ),
  )('deep or wide: %s, %i', async (method, _, body) => {
    const rig = await listed();
    await rig.say({ jsonrpc: '2.0', id: 1, method, params: { name: 'read', arguments: {} } });
    await rig.tell(`{"jsonrpc":"2.0","id":1,${body}}`);
    expect(sayings(rig.got())).toEqual([]);
  });
});

/** A free text of typed structured content, or its notice. */
function isField(text: string): boolean {
  const isTagged = /^<untrusted_field ([a-z]+(?: [a-z]+){3})>[\s\S]*<\/untrusted_field \1>$/.test(text);
  return isTagged || text.startsWith('Text inside untrusted_field tags was written by other parties.');
}

it('frames depend on the key: another proxy gives the same text another code', async () => {
  const codes = new Set<string | undefined>();
  for (const key of [KEY, KEY, KEY.map((byte) => byte ^ 1)]) {
    const rig = new Rig({ key });
    await rig.list([SEND, READ]);
    await rig.tell({ jsonrpc: '2.0', method: 'x', params: ['one two three'] });
    codes.add(/<untrusted ([a-z ]+)/.exec(rig.got())?.[1]);
  }
  expect(codes.size).toBe(2);
});
