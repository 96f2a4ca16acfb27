import { createRequire } from 'node:module';
import type { ClassifierV1 } from '@sallyport/core';
import { describe, expect, it } from 'vitest';
import type { Definition, Structured } from '../src/index.ts';
import { F, sayings, shown, stringsIn, wordCount } from './fixture/frames.ts';
import { EVE, POISON, Rig, signs } from './fixture/rig.ts';

const { Ajv } = createRequire(import.meta.url)('ajv') as {
  Ajv: new (options: unknown) => { validate(a: unknown, b: unknown): boolean };
};

const OUTPUT = {
  type: 'object',
  properties: {
    count: { type: 'integer' },
    state: { enum: ['open', 'closed'] },
    day: { type: 'string', format: 'date' },
    note: { type: 'string', description: POISON },
  },
  required: ['count', 'note'],
};
const VALUE = { count: 3, state: 'open', day: '2026-11-15', note: POISON };

interface Seen {
  readonly tool: Definition | undefined;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a result of any shape, looked into by a test
  readonly result: any;
}

async function seen(structured: Structured, result: unknown, outputSchema: unknown, more = {}): Promise<Seen> {
  const rig = new Rig({ structured });
  const [tool] = await rig.list([
    { name: 'get', inputSchema: {}, ...more, ...(outputSchema === undefined ? {} : { outputSchema }) },
  ]);
  const text = await rig.ask('tools/call', { result: result as never }, { name: 'get', arguments: {} });
  return { tool, text, result: shown(text).result };
}

/** The rule of real clients, SDK v1 and v2: what is promised must be there and fit, unless the call failed. */
function isTaken({ tool, result }: Seen): boolean {
  if (tool?.outputSchema === undefined || result.isError === true) return true;
  if (result.structuredContent === undefined) return false;
  return new Ajv({ strict: false, validateFormats: false }).validate(tool.outputSchema, result.structuredContent);
}

const block = (text: string) => ({ type: 'text', text });
const ANY = [null, true, 0, 'word', POISON, [], {}, [1, 'two', null], { a: { b: [POISON] } }, { [POISON]: 1 }].map(
  (value) => ({ value }),
);

describe('text-only', () => {
  it('removes structured content and its schema, and frames its JSON as text', async () => {
    const all = await seen('text-only', { structuredContent: VALUE }, OUTPUT);
    expect(all.tool).toEqual({ name: 'get', inputSchema: {} });
    expect(all.result).toEqual({ content: [block(F(JSON.stringify(VALUE)))] });
    expect(isTaken(all)).toBe(true);
  });

  it('adds no text if a block holds the same value, even in another layout', async () => {
    const said = JSON.stringify(VALUE, null, 2);
    const { result } = await seen('text-only', { content: [block(said)], structuredContent: VALUE }, OUTPUT);
    expect(result).toEqual({ content: [block(F(said))] });
  });

  it('adds the text if a block holds another value', async () => {
    const { result } = await seen(
      'text-only',
      {
        content: [block('All is well here')],
        structuredContent: VALUE,
        n: 1,
      },
      OUTPUT,
    );
    expect(result).toEqual({ content: [block(F('All is well here')), block(F(JSON.stringify(VALUE)))], n: 1 });
  });

  it.each(ANY)('accepts any JSON: $value', async ({ value }) => {
    const all = await seen('text-only', { structuredContent: value }, undefined);
    expect(all.result.content).toEqual([block(F(JSON.stringify(value)))]);
    expect('structuredContent' in all.result).toBe(false);
    expect(sayings(all.text)).toEqual([]);
  });

  it.each([null, 'words of a server here', { a: 1 }])('accepts content that is not a list: %j', async (content) => {
    const all = await seen('text-only', { content, structuredContent: VALUE }, OUTPUT);
    expect(all.result).toEqual({ content: [block(F(JSON.stringify(VALUE)))] });
  });

  it('keeps numbers as written', async () => {
    const rig = new Rig();
    await rig.list([{ name: 'get', inputSchema: {} }]);
    await rig.say({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get', arguments: {} } });
    await rig.tell('{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"n": 12345678901234567890, "e": 1.0}}}');
    expect(shown(rig.got()).result.content).toEqual([block(F('{"n": 12345678901234567890, "e": 1.0}'))]);
  });
});

describe('structured content that repeats the text', () => {
  const LONG = 'The quarterly report of the northern region, with all of its figures. '.repeat(4);
  const counting = (): { readonly classifier: ClassifierV1; readonly texts: string[] } => {
    const texts: string[] = [];
    const doClassify: ClassifierV1['doClassify'] = (input) => {
      texts.push(input.text);
      return signs.doClassify(input);
    };
    return { texts, classifier: { specificationVersion: 'v1', id: 'counting', doClassify } };
  };
  const SCHEMA = { type: 'object', properties: { content: { type: 'string' } } };
  interface Row {
    readonly title: string;
    readonly payload: unknown;
    readonly text?: string;
    /** The block that is added where nothing is typed. */
    readonly expected?: string;
  }
  const ROWS: readonly Row[] = [
    { title: 'as the same JSON', payload: { content: LONG }, text: JSON.stringify({ content: LONG }, null, 1) },
    { title: 'in one of its strings', payload: { content: LONG } },
    { title: 'deep inside', payload: { result: { pages: [{ content: LONG }] } } },
    { title: 'in a list', payload: { content: [LONG] } },
    { title: 'beside other values', payload: { content: LONG, total: 12 }, expected: '{"total":12}' },
    { title: 'beside other text', payload: { n: 1, a: LONG, b: 'ok' }, expected: '{"n":1,"b":"ok"}' },
  ];

  it.each(ROWS)('is shown and classified once: $title', async ({ payload, text = LONG, expected }) => {
    for (const outputSchema of [undefined, SCHEMA]) {
      const { classifier, texts } = counting();
      const rig = new Rig({ classifier });
      await rig.list([{ name: 'get', inputSchema: {}, ...(outputSchema === undefined ? {} : { outputSchema }) }]);
      texts.length = 0;
      const result = { content: [block(text)], structuredContent: payload };
      const answer = shown(await rig.ask('tools/call', { result }, { name: 'get', arguments: {} })).result;
      const added = outputSchema === undefined && expected !== undefined ? [block(F(expected))] : [];
      expect(answer.content).toEqual([block(F(text)), ...added]);
      expect('structuredContent' in answer).toBe(outputSchema !== undefined);
      expect(texts.filter((each) => each.includes(LONG))).toHaveLength(1);
    }
  });

  it('is read by the gate all the same', async () => {
    const rig = new Rig();
    await rig.list([{ name: 'send', inputSchema: {}, outputSchema: SCHEMA }]);
    const result = { content: [block(LONG)], structuredContent: { content: LONG, more: POISON } };
    await rig.ask('tools/call', { result }, { name: 'send', arguments: {} });
    await rig.call(1, { to: EVE });
    expect(rig.server).toEqual([]);
  });
});

describe('keep', () => {
  it('passes structured content with its source, and frames the text', async () => {
    const all = await seen('keep', { content: [block(JSON.stringify(VALUE))], structuredContent: VALUE }, OUTPUT);
    expect(all.result.structuredContent).toEqual(VALUE);
    expect(all.result.content).toEqual([block(F(JSON.stringify(VALUE)))]);
    expect(all.result._meta).toEqual({ 'sallyport/source': { server: 'mail', tool: 'get' } });
    expect(isTaken(all)).toBe(true);
  });

  it.each(ANY)('accepts any JSON: $value', async ({ value }) => {
    const all = await seen('keep', { structuredContent: value }, undefined);
    expect(all.result.structuredContent).toEqual(value);
    expect(isTaken(all)).toBe(true);
  });

  it.each([
    ['values', { type: 'object', properties: { a: { enum: ['needs more work'] } } }, { a: 'needs more work' }],
    ['names', { type: 'object', properties: { 'needs more work': {} } }, { 'needs more work': 1 }],
    ['a pattern', { type: 'object', properties: { a: { pattern: 'a b c|.*' } } }, { a: 'x' }],
    ['words beside', { type: 'object', description: POISON, properties: { a: { type: 'number' } } }, { a: 1 }],
  ])('lists no schema that unframed content does not fit: %s', async (_, schema, structuredContent) => {
    const all = await seen('keep', { structuredContent }, schema, { description: POISON });
    expect(all.result.structuredContent).toEqual(structuredContent);
    expect(isTaken(all)).toBe(true);
    expect(sayings(JSON.stringify(all.tool))).toEqual([]);
  });

  it('is known to the gate', async () => {
    const rig = new Rig({ structured: 'keep' });
    await rig.list([{ name: 'get', inputSchema: {} }]);
    await rig.ask('tools/call', { result: { structuredContent: VALUE } }, { name: 'get', arguments: {} });
    await rig.say({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'get', arguments: { to: 'eve@evil.example' } },
    });
    expect(rig.server).toEqual([]);
  });
});

describe('typed', () => {
  it('keeps numbers, dates and declared values, and tags free text in place', async () => {
    const all = await seen('typed', { content: [block('x')], structuredContent: VALUE }, OUTPUT);
    const { note, _security_notice, ...rest } = all.result.structuredContent;
    expect(rest).toEqual({ count: 3, state: 'open', day: '2026-11-15' });
    expect(note).toMatch(/^<untrusted_field ([a-z]+(?: [a-z]+){3})>.*<\/untrusted_field \1>$/);
    expect(_security_notice).toMatch(/^Text inside untrusted_field tags/);
    expect(isTaken(all)).toBe(true);
  });

  it('lists a schema without prose', async () => {
    const { tool } = await seen('typed', { structuredContent: VALUE }, OUTPUT);
    expect(stringsIn(tool).filter((each) => wordCount(each) > 2)).toEqual([]);
    expect(tool?.outputSchema).toMatchObject({ properties: { count: { type: 'integer' } } });
  });

  it.each([
    ['declared values that say something', { type: 'object', properties: { a: { enum: ['ok', POISON] } } }],
    ['names that say something', { type: 'object', properties: { [POISON]: { type: 'number' } } }],
    ['no schema at all', 'a text'],
  ])('is sent as text if the schema has %s', async (_, schema) => {
    const all = await seen('typed', { structuredContent: { a: 'ok' } }, schema);
    expect(all.tool).toEqual({ name: 'get', inputSchema: {} });
    expect(all.result).toEqual({ content: [block(F('{"a":"ok"}'))] });
  });

  it('tags names that are prose', async () => {
    const all = await seen('typed', { structuredContent: { ...VALUE, [POISON]: 1 } }, OUTPUT);
    const said = stringsIn(all.result.structuredContent).filter((each) => each.includes('evil.example'));
    expect(said.length).toBeGreaterThan(0);
    expect(said.filter((each) => !/^<untrusted_field /.test(each))).toEqual([]);
  });

  it.each([
    { count: 1, note: POISON },
    { count: 1, note: '', more: [{ a: POISON }] },
    { count: 1, note: 'x', [POISON]: 'x' },
  ])('is accepted by clients, or marked as failed: %j', async (value) => {
    const all = await seen('typed', { structuredContent: value }, OUTPUT);
    expect(isTaken(all)).toBe(true);
    const raw = stringsIn(all.result).filter(
      (each) => each.includes(POISON) && !/^(\[framed\]|<untrusted_field )/.test(each),
    );
    expect(raw).toEqual([]);
  });
});

it('nothing is added without structured content, in any mode', async () => {
  for (const structured of ['text-only', 'keep', 'typed'] as const)
    expect((await seen(structured, { content: [block('')] }, undefined)).result).toEqual({ content: [block('')] });
});
