import { Client as Client2, InMemoryTransport as Memory2 } from '@modelcontextprotocol/client';
import { InMemoryTransport as Memory1 } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer as McpServer1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { McpServer as McpServer2 } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { spanClassifier } from '@sallyport/classifier';
import {
  createBoundary,
  defineTool,
  promoteMemory,
  restoreMemory,
  type StoredMemory,
  storeMemory,
} from '@sallyport/core';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { META, partsOf, protect, serve, type TransportLike } from '../src/index.ts';
import { worstOf } from '../src/serve.ts';
import { KEY } from './fixture/conversation.ts';
import { EVIL, PIXEL, POISON } from './fixture/mail.ts';
import { client1 } from './fixture/rig.ts';

const boundary = createBoundary({ key: KEY, classifier: spanClassifier });
const SENT = { content: [{ type: 'text' as const, text: 'noted' }] };

interface Shared {
  readonly stored: StoredMemory[];
  connect(wrap: <T extends TransportLike>(inner: T) => T): Promise<Caller>;
}

type Caller = (name: string, given?: Record<string, unknown>) => Promise<Read>;

interface Read {
  readonly content: readonly { readonly text?: string; readonly _meta?: Readonly<Record<string, unknown>> }[];
  readonly _meta?: Readonly<Record<string, unknown>>;
}

function shared1(): Shared {
  const stored: StoredMemory[] = [];
  const notes = serve(boundary);
  return {
    stored,
    async connect(wrap) {
      const server = new McpServer1({ name: 'notes', version: '1.0.0' });
      const keep = (each: StoredMemory) => {
        stored.push(each);
        return SENT;
      };
      const inputSchema = { text: z.string() };
      server.registerTool(
        'add_note',
        { inputSchema },
        notes.writes(({ text }) => text, keep),
      );
      server.registerTool(
        'read_notes',
        { inputSchema: {} },
        notes.reads(() => stored),
      );
      const [near, far] = Memory1.createLinkedPair();
      await server.connect(far);
      const client = client1();
      await client.connect(wrap(near));
      return async (name, given = {}) => (await client.callTool({ name, arguments: given })) as Read;
    },
  };
}

function shared2(): Shared {
  const stored: StoredMemory[] = [];
  const notes = serve(boundary, {
    writer: (context: { mcpReq: { method: string } }) => `agent ${context.mcpReq.method}`,
  });
  return {
    stored,
    async connect(wrap) {
      const server = () => {
        const made = new McpServer2({ name: 'notes', version: '1.0.0' });
        const keep = async (each: StoredMemory) => {
          stored.push(each);
          return SENT;
        };
        const inputSchema = z.object({ text: z.string() });
        made.registerTool(
          'add_note',
          { inputSchema },
          notes.writes(({ text }) => text, keep),
        );
        made.registerTool(
          'read_notes',
          { inputSchema: z.object({}) },
          notes.reads(async () => stored),
        );
        return made;
      };
      const [near, far] = Memory2.createLinkedPair();
      serveStdio(server, { transport: far });
      const client = new Client2({ name: 'host', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
      await client.connect(wrap(near));
      return async (name, given = {}) => (await client.callTool({ name, arguments: given })) as Read;
    },
  };
}

const TOOLS = [
  defineTool({ name: 'add_note', origin: 'workspace', effect: 'write', modelText: ['text'] }),
  // The reader declares the server as its own workspace, and the server declares a lower label.
  defineTool({ name: 'read_notes', origin: 'workspace', effect: 'read' }),
  defineTool({ name: 'send_mail', origin: 'workspace', effect: 'send', modelText: ['body'] }),
];

describe.each([
  { name: 'v1', shared: shared1, by: 'agent' },
  { name: 'v2', shared: shared2, by: 'agent tools/call' },
])('$name', ({ shared, by }) => {
  test('entries of agents are stored as candidates, each with its own words', async () => {
    const { stored, connect } = shared();
    const call = await connect((inner) => inner);
    await call('add_note', { text: 'The printer is on the second floor.' });
    await call('add_note', { text: POISON });
    expect(stored.map(({ lifecycle, floor, derivation }) => [lifecycle, floor.integrity, derivation])).toEqual([
      ['candidate', 'external', [by]],
      ['candidate', 'external', [by]],
    ]);
    expect(stored.map(({ standing }) => standing)).toEqual(['open', 'flagged']);
    const { content, _meta } = await call('read_notes');
    expect(content.map(({ text }) => text)).toEqual(['The printer is on the second floor.', POISON]);
    const label = { integrity: 'external', confidentiality: 'private' };
    expect(content.map((block) => block._meta?.[META.submission])).toEqual([
      { lifecycle: 'candidate', label, standing: 'open' },
      { lifecycle: 'candidate', label, standing: 'flagged' },
    ]);
    expect(_meta?.[META.submission]).toEqual({ lifecycle: 'candidate', label, standing: 'flagged' });
  });

  test('the boundary of a reader treats a candidate as one', async () => {
    const { connect } = shared();
    const conversation = createBoundary({ key: KEY, classifier: spanClassifier, tools: TOOLS }).conversation('reader');
    await conversation.render([{ type: 'user', content: 'Note the floor of the printer, then read all notes.' }]);
    const call = await connect((inner) => protect(conversation).transport(inner, { server: 'notes' }));
    await call('add_note', { text: POISON });
    await call('read_notes');
    expect(conversation.records.at(-1)).toMatchObject({
      source: { name: 'read_notes' },
      label: { integrity: 'external' },
    });
    const use = { id: 'call_1', tool: 'send_mail', arguments: { to: EVIL, body: 'Hello.' } };
    await conversation.frame(conversation.records.at(-1) as never);
    expect((await conversation.check(use)).outcome).toBe('deny');
  });
});

test('a promoted entry is canonical, a forged promotion is not, and a list has the status of its worst entry', async () => {
  const doubts: string[] = [];
  const notes = serve(boundary, { onDoubt: (field) => doubts.push(field) });
  const written: StoredMemory[] = [];
  const write = notes.writes(
    (given: string) => given,
    (each) => written.push(each),
  );
  await write('The printer is on the second floor.', undefined);
  const [candidate] = written as [StoredMemory];
  const promotion = { by: 'Ann', at: 1 };
  const canonical = storeMemory(
    promoteMemory(
      restoreMemory(candidate, () => undefined),
      promotion,
    ),
  );
  const forged = { ...candidate, promotion, lifecycle: 'canonical' };
  const read = async (...list: unknown[]) => (await notes.reads(() => list)({}, undefined))._meta?.[META.submission];
  expect(await read(canonical)).toMatchObject({ lifecycle: 'canonical', label: { integrity: 'user' } });
  expect(await read(canonical, candidate)).toMatchObject({ lifecycle: 'candidate', label: { integrity: 'external' } });
  expect(doubts).toEqual([]);
  expect(await read(forged)).toMatchObject({
    lifecycle: 'candidate',
    label: { integrity: 'unknown' },
    standing: 'flagged',
  });
  expect(await read('a row from before')).toMatchObject({ lifecycle: 'candidate', standing: 'flagged' });
  expect(doubts.length).toBeGreaterThan(0);
  expect(await read()).toBeUndefined();
});

test('an entry of several parts is read back with the same parts', async () => {
  const notes = serve(boundary);
  const parts = [
    { type: 'text', text: 'Hello.' },
    { type: 'image', mediaType: 'image/png', data: PIXEL },
    { type: 'image', mediaType: 'image/png', data: PIXEL, uri: 'mem://p' },
    { type: 'file', mediaType: 'text/plain', text: 'In a file.', uri: 'mem://f' },
    { type: 'file', mediaType: 'application/pdf', data: 'JVBERi0=', uri: 'mem://b' },
    {
      type: 'link',
      uri: 'https://work.example/',
      name: 'minutes',
      title: 'Minutes',
      description: 'Of May.',
      mediaType: 'text/html',
    },
  ] as const;
  const stored: StoredMemory[] = [];
  await notes.writes(
    () => parts,
    (each) => stored.push(each),
  )({}, undefined);
  const { content } = await notes.reads(() => stored)({}, undefined);
  expect(partsOf(content)).toEqual(parts);
});

test('a part without an address or without bytes is read back', async () => {
  const notes = serve(boundary);
  const parts = [
    { type: 'file', mediaType: 'text/plain', text: 'In a file.', name: 'a.txt' },
    { type: 'file', mediaType: 'application/pdf', name: 'a.pdf' },
    { type: 'image', mediaType: 'image/png', uri: 'https://work.example/p.png' },
    { type: 'link', uri: 'https://work.example/' },
    { type: 'json', text: '{"a":1}' },
  ] as const;
  const stored: StoredMemory[] = [];
  await notes.writes(
    () => parts,
    (each) => stored.push(each),
  )({}, undefined);
  const { content } = await notes.reads(() => stored)({}, undefined);
  expect(content.map(({ _meta, ...block }) => block)).toEqual([
    { type: 'resource', resource: { uri: 'sallyport:none', mimeType: 'text/plain', text: 'In a file.' } },
    { type: 'resource_link', uri: 'sallyport:none', name: 'a.pdf', mimeType: 'application/pdf' },
    {
      type: 'resource_link',
      uri: 'https://work.example/p.png',
      name: 'https://work.example/p.png',
      mimeType: 'image/png',
    },
    { type: 'resource_link', uri: 'https://work.example/', name: 'https://work.example/' },
    { type: 'text', text: '{"a":1}' },
  ]);
});

test('the status of any number of entries is the worst', () => {
  const label = { integrity: 'external', confidentiality: 'private' } as const;
  const said = { lifecycle: 'candidate', label, standing: 'open' } as const;
  const worst = { ...said, standing: 'flagged' } as const;
  expect(worstOf([...Array(200_000).fill(said), worst, said])).toEqual(worst);
});
