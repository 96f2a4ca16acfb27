import { describe, expect, it } from 'vitest';
import { F, shown } from './fixture/frames.ts';
import { EVE, outcomeOf, POISON, Rig, SEND } from './fixture/rig.ts';

const PAGE = 'ui://chart/main.html';
const TYPE = 'text/html;profile=mcp-app';
const HTML = '<!doctype html><h1>Sales by region</h1><script>draw(event.data)</script>';
const CHART = { name: 'chart', inputSchema: { type: 'object' }, _meta: { ui: { resourceUri: PAGE } } };
const ROWS = { rows: [{ region: 'all of the north', sum: 12 }] };
const SHOWS_APPS = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: [TYPE] } } };

async function pageFrom(rig: Rig, item: unknown, uri: unknown = PAGE): Promise<unknown> {
  const text = await rig.ask('resources/read', { result: { contents: [item] } }, { uri });
  return shown(text).result.contents[0];
}

async function drawn(rig: Rig, name = 'chart'): Promise<Readonly<Record<string, unknown>>> {
  const result = { content: [{ type: 'text', text: 'The sales of this year' }], structuredContent: ROWS };
  return shown(await rig.ask('tools/call', { result }, { name, arguments: {} })).result;
}

async function listedApp(options = {}, tool: unknown = CHART): Promise<Rig> {
  const rig = new Rig(options);
  await rig.initialize(SHOWS_APPS);
  await rig.list([tool, SEND]);
  return rig;
}

describe('the page of an app', () => {
  const page = {
    uri: PAGE,
    mimeType: TYPE,
    text: HTML,
    _meta: { ui: { csp: { connectDomains: ['https://a.example'] } } },
  };

  it('passes as it is', async () => {
    expect(await pageFrom(await listedApp(), page)).toEqual(page);
  });

  it('passes in the deprecated form of the link', async () => {
    const rig = await listedApp({}, { ...CHART, _meta: { 'ui/resourceUri': PAGE } });
    expect(await pageFrom(rig, page)).toEqual(page);
  });

  it.each([
    { title: 'another type', payload: { ...page, mimeType: 'text/html' } },
    { title: 'no type', payload: { uri: PAGE, text: HTML } },
    { title: 'another address than was asked for', payload: { ...page, uri: 'ui://chart/other.html' } },
    { title: 'an address that no tool names', payload: { ...page, uri: 'ui://other' }, asked: 'ui://other' },
    { title: 'an address of another scheme', payload: { ...page, uri: 'file:///a' }, asked: 'file:///a' },
  ])('is framed with $title', async ({ payload, asked }) => {
    expect(await pageFrom(await listedApp(), payload, asked)).toMatchObject({ text: F(HTML) });
  });

  it('is framed if the definition of its tool is not accepted', async () => {
    const rig = await listedApp({}, { ...CHART, description: POISON });
    expect(await pageFrom(rig, page)).toMatchObject({ text: F(HTML) });
  });

  it('is content of the server for the gate', async () => {
    const rig = await listedApp();
    expect(await pageFrom(rig, { ...page, text: POISON })).toMatchObject({ text: POISON });
    expect(await outcomeOf(rig, { to: EVE })).toBe('deny');
  });
});

describe('what an app draws from', () => {
  it('passes as it is, with its source; what the model reads is framed', async () => {
    expect(await drawn(await listedApp())).toEqual({
      content: [{ type: 'text', text: F('The sales of this year') }],
      structuredContent: ROWS,
      _meta: { 'sallyport/source': { server: 'mail', tool: 'chart' } },
    });
  });

  it('passes to a client that has read the page, and not to one that shows no apps', async () => {
    const rig = new Rig();
    await rig.initialize();
    await rig.list([CHART, SEND]);
    expect((await drawn(rig)).structuredContent).toBeUndefined();
    await pageFrom(rig, { uri: PAGE, mimeType: TYPE, text: HTML });
    expect((await drawn(rig)).structuredContent).toEqual(ROWS);
  });

  it('passes to a client that declares it with each call, as in protocol version 2026', async () => {
    const rig = new Rig();
    await rig.list([CHART, SEND]);
    const _meta = { 'io.modelcontextprotocol/clientCapabilities': SHOWS_APPS };
    const params = { name: 'chart', arguments: {}, _meta };
    const text = await rig.ask('tools/call', { result: { structuredContent: ROWS } }, params);
    expect(shown(text).result.structuredContent).toEqual(ROWS);
  });

  it.each([
    { title: 'a tool without a page', tool: { ...CHART, _meta: {} }, options: {} },
    { title: 'a definition that is not accepted', tool: { ...CHART, description: POISON }, options: {} },
    { title: 'the setting text-only', tool: CHART, options: { structured: 'text-only' } },
  ])('is framed text with $title', async ({ tool, options }) => {
    const { structuredContent, content } = await drawn(await listedApp(options, tool));
    expect(structuredContent).toBeUndefined();
    expect(content).toContainEqual({ type: 'text', text: F(JSON.stringify(ROWS)) });
  });

  it('is known to the gate', async () => {
    const rig = await listedApp();
    await rig.ask('tools/call', { result: { structuredContent: { a: POISON } } }, { name: 'chart', arguments: {} });
    expect(await outcomeOf(rig, { to: EVE })).toBe('deny');
  });
});
