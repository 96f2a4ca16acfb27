import { describe, expect, it } from 'vitest';
import type { EventDetails } from '../../src/event.ts';
import { type Conversation, createBoundary, source } from '../../src/index.ts';
import { bare } from '../fixture/bare.ts';

const KEY = new Uint8Array(32).fill(7);
const UNKNOWN = { integrity: 'unknown', confidentiality: 'secret' };

function open(): { conversation: Conversation; events: EventDetails[] } {
  const events: EventDetails[] = [];
  const boundary = createBoundary({ key: KEY, onEvent: (event) => events.push(bare(event)) });
  return { conversation: boundary.conversation('c'), events };
}

/** A page, and a note of the operator that was derived from it. */
function filled(): Conversation {
  const { conversation } = open();
  const page = conversation.addContent({ id: 'page', source: source('external', { name: 'web' }), content: 'Hello.' });
  conversation.addContent({
    id: 'note',
    source: source('system', { confidentiality: 'public' }),
    content: { json: { b: 1, a: 2 } },
    derivedFrom: [page],
  });
  return conversation;
}

type Stored = Record<string, unknown>;
type StoredSnapshot = { version: unknown; conversation: string; records: Stored[] };

function stored(): StoredSnapshot {
  return JSON.parse(JSON.stringify(filled().snapshot()));
}

function restored(snapshot: unknown): { conversation: Conversation; events: EventDetails[] } {
  const { conversation, events } = open();
  return { conversation: conversation.restore(snapshot), events };
}

describe('snapshot', () => {
  it('is this JSON and nothing else', () => {
    expect(stored()).toEqual({
      version: 1,
      conversation: 'c',
      records: [
        {
          id: 'page',
          source: { origin: 'external', confidentiality: 'private', name: 'web' },
          parts: [{ type: 'text', text: 'Hello.' }],
          digest: filled().records[0]?.digest,
          derivation: [],
          floor: { integrity: 'policy', confidentiality: 'public' },
        },
        {
          id: 'note',
          source: { origin: 'system', confidentiality: 'public' },
          parts: [{ type: 'json', text: '{"a":2,"b":1}' }],
          digest: filled().records[1]?.digest,
          derivation: ['page'],
          floor: { integrity: 'external', confidentiality: 'private' },
        },
      ],
      choices: [],
    });
  });

  it('is restored from JSON unchanged, without an event', async () => {
    const { conversation, events } = restored(stored());
    expect(conversation.snapshot()).toEqual(filled().snapshot());
    expect(conversation.records.map(({ label }) => label)).toEqual(filled().records.map(({ label }) => label));
    expect(events).toEqual([]);
    expect((await conversation.request()).text).toBe((await filled().request()).text);
  });

  it('does not depend on the order of names, which jsonb changes', () => {
    const reversed = JSON.parse(JSON.stringify(stored()), (_, value: unknown) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).reverse())
        : value,
    );
    const { conversation, events } = restored(reversed);
    expect(conversation.snapshot()).toEqual(filled().snapshot());
    expect(events).toEqual([]);
  });

  it('contains no code after a request', async () => {
    const conversation = filled();
    const { text } = await conversation.request();
    const codes = [...text.matchAll(/(?<=<[a-z_]+ )[a-z]+(?: [a-z]+){3}/g)].map(([found]) => found);
    expect(codes.length).toBe(2);
    const json = JSON.stringify(conversation.snapshot());
    expect(codes.filter((each) => json.includes(each))).toEqual([]);
  });
});

describe('restore', () => {
  const LONG = 'i'.repeat(513);
  it.each([
    ['id', undefined, 'id'],
    ['id', 5, 'id'],
    ['id', '', 'id'],
    ['id', LONG, 'id'],
    ['source', undefined, 'source'],
    ['source', null, 'source'],
    ['source', 'external', 'source'],
    ['source', [], 'source'],
    ['source', { origin: 'external' }, 'source'],
    ['source', { confidentiality: 'private' }, 'source'],
    ['source', { origin: 'policy', confidentiality: 'private' }, 'source'],
    ['source', { origin: 'trusted', confidentiality: 'private' }, 'source'],
    ['source', { origin: 'external', confidentiality: 'none' }, 'source'],
    ['source', { origin: 'external', confidentiality: 'private', name: 5 }, 'source'],
    ['source', { origin: 'external', confidentiality: 'private', name: '' }, 'source'],
    ['source', { origin: 'external', confidentiality: 'private', name: 'n'.repeat(257) }, 'source'],
    ['digest', undefined, 'digest'],
    ['digest', '0'.repeat(64), 'digest'],
    ['digest', 5, 'digest'],
    ['floor', undefined, 'floor'],
    ['floor', null, 'floor'],
    ['floor', { integrity: 'external' }, 'floor'],
    ['floor', { integrity: 'trusted', confidentiality: 'public' }, 'floor'],
    ['floor', 'policy', 'floor'],
    ['derivation', undefined, 'derivation'],
    ['derivation', 'page', 'derivation'],
    ['derivation', {}, 'derivation'],
    ['derivation', ['gone'], 'derivation'],
    ['derivation', ['note'], 'derivation'],
    ['derivation', [5], 'derivation'],
    ['derivation', ['page', null], 'derivation'],
  ])('makes the record unknown for the %s %j', (field, value, doubted) => {
    const snapshot = stored();
    const record = snapshot.records[1] as Stored;
    if (value === undefined) delete record[field];
    else record[field] = value;
    const { conversation, events } = restored(snapshot);
    const recordId = field === 'id' ? 'restored-1' : 'note';
    expect(events).toEqual([{ type: 'restored-unknown', recordId, field: doubted }]);
    const [page, note] = conversation.records;
    expect(page?.label.integrity).toBe('external');
    expect([note?.id, note?.source.origin, note?.label]).toEqual([recordId, 'unknown', UNKNOWN]);
    expect(note?.parts).toEqual([{ type: 'json', text: '{"a":2,"b":1}' }]);
  });

  it.each([
    [undefined, 'null'],
    ['text', '"text"'],
    [[{ type: 'text' }], '[{"type":"text"}]'],
    [[null], '[null]'],
    [[{ type: 'json', text: '{' }], '[{"text":"{","type":"json"}]'],
    [{ type: 'text', text: 'x' }, '{"text":"x","type":"text"}'],
  ])('keeps invalid parts %j as data', (parts, text) => {
    const snapshot = stored();
    (snapshot.records[0] as Stored).parts = parts;
    const { conversation, events } = restored(snapshot);
    const page = conversation.records[0];
    expect(page?.parts).toEqual([{ type: 'json', text }]);
    expect(page?.label).toEqual(UNKNOWN);
    expect(events.slice(0, 2)).toEqual([
      { type: 'restored-unknown', recordId: 'page', field: 'parts' },
      { type: 'restored-unknown', recordId: 'page', field: 'digest' },
    ]);
  });

  it.each([[null], ['text'], [5], [[]]])('keeps the invalid record %j as an unknown one', (record) => {
    const snapshot = { ...stored(), records: [record] };
    const { conversation, events } = restored(snapshot);
    expect(conversation.records.map(({ id, label }) => [id, label])).toEqual([['restored-0', UNKNOWN]]);
    expect(events.map((event) => 'field' in event && event.field)).toEqual([
      'record',
      'id',
      'source',
      'parts',
      'derivation',
      'floor',
      'digest',
    ]);
  });

  it.each([0, '1', '2', undefined])('makes every record of version %j unknown', (version) => {
    const { conversation, events } = restored({ ...stored(), version });
    expect(conversation.records.map(({ source: { origin } }) => origin)).toEqual(['unknown', 'unknown']);
    expect(events).toEqual([
      { type: 'restored-unknown', recordId: 'page', field: 'version' },
      { type: 'restored-unknown', recordId: 'note', field: 'version' },
    ]);
  });

  it('gives the second of two records with one id a new id', () => {
    const snapshot = stored();
    snapshot.records.push({ ...(snapshot.records[0] as Stored) });
    const { conversation, events } = restored(snapshot);
    expect(conversation.records.map(({ label }) => label.integrity)).toEqual(['external', 'external', 'unknown']);
    const id = conversation.records[2]?.id as string;
    expect(id).toMatch(/^page\.[0-9a-f]{16}$/);
    expect(events).toEqual([{ type: 'restored-unknown', recordId: id, field: 'id' }]);
  });

  it('lowers a record that was derived from an invalid one', () => {
    const snapshot = stored();
    (snapshot.records[0] as Stored).digest = 'x';
    const { conversation, events } = restored(snapshot);
    expect(conversation.records.map(({ label }) => label)).toEqual([UNKNOWN, UNKNOWN]);
    expect(events).toEqual([{ type: 'restored-unknown', recordId: 'page', field: 'digest' }]);
  });

  it('does not raise a record whose stored floor was raised', () => {
    const snapshot = stored();
    (snapshot.records[1] as Stored).floor = { integrity: 'policy', confidentiality: 'public' };
    expect(restored(snapshot).conversation.records[1]?.label).toEqual({
      integrity: 'external',
      confidentiality: 'private',
    });
  });

  it('gives the same result the second time', () => {
    const snapshot = stored();
    (snapshot.records[1] as Stored).source = undefined;
    const first = restored(snapshot).conversation.snapshot();
    const { conversation, events } = restored(JSON.parse(JSON.stringify(first)));
    expect(conversation.snapshot()).toEqual(first);
    expect(events).toEqual([]);
  });

  it('restores a renamed record with an id of any length', () => {
    const { conversation } = open();
    for (const content of ['one', 'two']) conversation.addUserMessage(content, { id: 'i'.repeat(512) });
    const { conversation: again, events } = restored(JSON.parse(JSON.stringify(conversation.snapshot())));
    expect(events).toEqual([]);
    expect(again.snapshot()).toEqual(conversation.snapshot());
  });

  it.each([[undefined], [null], ['{}'], [5], [{}], [{ records: {} }], [{ version: 1, records: 'x' }]])(
    'refuses %j',
    (snapshot) => {
      expect(() => restored(snapshot)).toThrow(expect.objectContaining({ code: 'ERR_INVALID_SNAPSHOT' }));
    },
  );

  it.each([1.5, 2, 1000])('rejects the later version %j', (version) => {
    const { conversation } = open();
    expect(() => conversation.restore({ ...stored(), version })).toThrow(
      expect.objectContaining({ code: 'ERR_INVALID_SNAPSHOT', message: expect.stringContaining(`version ${version}`) }),
    );
    expect(conversation.records).toEqual([]);
  });

  it('rejects a conversation that has records', () => {
    const conversation = filled();
    expect(() => conversation.restore(stored())).toThrow(expect.objectContaining({ code: 'ERR_INVALID_SNAPSHOT' }));
  });
});
