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

describe('for any message of a server', () => {
  it('no string of three or more words is outside a frame', async () => {
    // One for many: what was pinned, held and read before is there as well.
    let rig = await listed();
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(saying(40), async (said) => {
        if (++runs % 100 === 0) rig = await listed();
        const { got } = await heard(rig, said);
        if (said.type === 'answer') expect(got).toHaveLength(1);
        for (const text of got) expect(sayings(text)).toEqual([]);
      }),
      { numRuns: 800 },
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
        // What is rewritten although it says nothing: definitions, greetings, structured content, notes of the boundary.
        const body = JSON.stringify(said.body);
        fc.pre(!/"(tools|structuredContent|sallyport\/\w+|instructions|serverInfo)":/.test(body));
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
  const isTagged = /^<untrusted_field_([0-9a-z]{26})>[\s\S]*<\/untrusted_field_\1>$/.test(text);
  return isTagged || text.startsWith('Text inside untrusted_field tags was written by other parties.');
}

it('frames depend on the key: another proxy does not open them', async () => {
  const rig = new Rig({ key: KEY.map((byte) => byte ^ 1) });
  await rig.list([SEND, READ]);
  await rig.tell({ jsonrpc: '2.0', method: 'x', params: ['one two three'] });
  expect(sayings(rig.got())).toHaveLength(1);
});
