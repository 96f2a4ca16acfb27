import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { digestText } from '../../src/adapter.ts';
import { type Content, type Recorded, source } from '../../src/index.ts';
import { Recorded as RecordedClass } from '../../src/record/record.ts';
import { record } from '../../src/stages.ts';

const code = (expected: string) => expect.objectContaining({ name: 'SallyportError', code: expected });
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const external = source('external', { name: 'web' });
const make = (content: Content, id = 'r'): Recorded => record({ id, source: external, content });
const HELLO = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824';

describe('record', () => {
  it('keeps the content raw, with its digests', () => {
    const made = make('hello');
    expect(made.parts).toEqual([{ type: 'text', text: 'hello' }]);
    expect(made.partDigests).toEqual([HELLO]);
    expect(made.digest).toBe(sha256(`text ${HELLO}`));
    expect([made.id, made.source, made.derivation]).toEqual(['r', external, []]);
    expect(made.floor).toEqual({ integrity: 'policy', confidentiality: 'public' });
    expect(made.label).toEqual({ integrity: 'external', confidentiality: 'private' });
  });

  it('is deeply frozen', () => {
    const made = make([{ type: 'link', uri: 'a' }]);
    const values = [made, made.parts, made.parts[0], made.partDigests, made.derivation, made.label];
    expect(values.map((value) => Object.isFrozen(value))).toEqual(values.map(() => true));
  });

  it('copies its input', () => {
    const part = { type: 'text' as const, text: 'before' };
    const list = [part];
    const json = { a: ['before'] };
    const [texts, values] = [make(list), make({ json })];
    part.text = 'after';
    list.push({ type: 'text', text: 'more' });
    json.a.push('after');
    expect(texts.parts).toEqual([{ type: 'text', text: 'before' }]);
    expect(values.parts).toEqual([{ type: 'json', text: '{"a":["before"]}' }]);
  });

  it('reads every property once', () => {
    let reads = 0;
    const part = {
      type: 'text' as const,
      get text(): string {
        return `read ${++reads}`;
      },
    };
    expect(make([part]).parts).toEqual([{ type: 'text', text: 'read 1' }]);
  });

  it('drops unknown properties', () => {
    const part = { type: 'text', text: 'x', source: 'system', trusted: true } as const;
    expect(make([part]).parts).toEqual([{ type: 'text', text: 'x' }]);
  });

  it('stores JSON as canonical text', () => {
    const json = { b: 1, a: [2] };
    expect(make({ json }).parts).toEqual([{ type: 'json', text: '{"a":[2],"b":1}' }]);
    expect(make([{ type: 'json', value: json }]).parts).toEqual(make({ json }).parts);
    expect(make([{ type: 'json', value: undefined }]).parts).toEqual([{ type: 'json', text: 'null' }]);
    expect(make([{ type: 'json', text: '{"b":1}' }]).parts).toEqual([{ type: 'json', text: '{"b":1}' }]);
  });

  it.each([
    [{ type: 'image', mediaType: 'image/png' }, '{"mediaType":"image/png","type":"image"}'],
    [
      { type: 'image', mediaType: 'image/png', data: 'AAAA', uri: 'u', name: 'n' },
      '{"base64Length":4,"mediaType":"image/png","name":"n","type":"image","uri":"u"}\nAAAA',
    ],
    [{ type: 'file', mediaType: 'text/plain', text: 't' }, '{"mediaType":"text/plain","type":"file"}\nt'],
    [{ type: 'file', mediaType: 'text/plain' }, '{"mediaType":"text/plain","type":"file"}'],
    [
      { type: 'link', uri: 'u', name: 'n', title: 't', description: 'd', mediaType: 'm' },
      '{"description":"d","mediaType":"m","name":"n","title":"t","type":"link","uri":"u"}',
    ],
  ] as const)('digests all of %j', (part, hashed) => {
    expect(make([part]).partDigests).toEqual([sha256(hashed)]);
  });

  it('gives different content different digests', () => {
    const contents: Content[] = [
      'null',
      { json: null },
      { json: 'null' },
      [],
      '',
      [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
      'a\nb',
      '\ud83c',
      '\ud83d',
      '\ufffd',
      [{ type: 'image', mediaType: 'm', data: 'A' }],
      [{ type: 'image', mediaType: 'm', data: 'B' }],
    ];
    expect(new Set(contents.map((content) => make(content).digest)).size).toBe(contents.length);
  });

  it.each([
    [undefined],
    [null],
    [5],
    [{}],
    [{ text: 'x' }],
    [[null]],
    [['x']],
    [[{ type: 'text' }]],
    [[{ type: 'text', text: 5 }]],
    [[{ type: 'audio', data: 'x' }]],
    [[{ type: 'toString', text: 'x' }]],
    [[{ type: '__proto__', text: 'x' }]],
    [[{ type: 'image' }]],
    [[{ type: 'image', mediaType: 'm', data: 5 }]],
    [[{ type: 'link', name: 'n' }]],
    [[Object.create({ type: 'text', text: 'inherited' })]],
  ])('refuses the content %j', (content) => {
    expect(() => make(content as never)).toThrow(code('ERR_INVALID_CONTENT'));
  });

  it('refuses a value that contains itself', () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    expect(() => make({ json: cycle })).toThrow(code('ERR_CYCLE'));
  });

  it.each(['', 'i'.repeat(513), null, 5])('refuses the id %j', (id) => {
    expect(() => make('x', id as never)).toThrow(code('ERR_INVALID_NAME'));
  });

  it('accepts an id of 512 characters', () => {
    expect(make('x', 'i'.repeat(512)).id.length).toBe(512);
  });

  it('an object with the same fields is not accepted', () => {
    const made = make('x');
    const fakes = [{ ...made }, JSON.parse(JSON.stringify(made)), Object.create(made), null, 'x'];
    expect(fakes.filter((fake) => RecordedClass.is(fake))).toEqual([]);
  });
});

describe('the label of a record', () => {
  const system = source('system', { confidentiality: 'public' });
  const secret = record({ id: 's', source: source('workspace', { confidentiality: 'secret' }), content: 'x' });
  const page = record({ id: 'p', source: source('external', { confidentiality: 'public' }), content: 'x' });

  it('is the join of source and ancestors, whose ids are kept', () => {
    const made = record({ id: 'm', source: system, content: 'x', derivedFrom: [secret, page] });
    expect(made.label).toEqual({ integrity: 'external', confidentiality: 'secret' });
    expect([made.derivation, made.floor]).toEqual([['s', 'p'], { integrity: 'external', confidentiality: 'secret' }]);
    expect(made.originOf({ type: 'text', text: 'x' })).toBe('external');
  });

  it('can only be lowered by the label option', () => {
    const label = { integrity: 'policy', confidentiality: 'public' } as const;
    expect(record({ id: 'm', source: system, content: 'x', label }).label).toEqual({
      integrity: 'system',
      confidentiality: 'public',
    });
    expect(record({ id: 'm', source: system, content: 'x', label: page.label }).label.integrity).toBe('external');
  });

  it('is lowered by a part that the source did not write', () => {
    const made = record({
      id: 'm',
      source: system,
      content: [
        { type: 'text', text: 'x' },
        { type: 'link', uri: 'u' },
      ],
    });
    expect(made.label).toEqual({ integrity: 'external', confidentiality: 'public' });
    expect(made.parts.map((part) => made.originOf(part))).toEqual(['system', 'external']);
  });

  it('refuses an invalid label', () => {
    const label = { integrity: 'trusted', confidentiality: 'public' } as never;
    expect(() => record({ id: 'm', source: system, content: 'x', label })).toThrow(code('ERR_INVALID_LABEL'));
  });
});

describe('digestText', () => {
  it('is SHA-256 of UTF-8, as lower-case hex', () => {
    expect(digestText('hello')).toBe(HELLO);
    expect(digestText('\u00e9\u{1f300}')).toBe(sha256('\u00e9\u{1f300}'));
  });

  it('hashes ill-formed text as UTF-16 after a byte that UTF-8 lacks', () => {
    const bytes = Uint8Array.of(0xff, 0x61, 0x00, 0x3c, 0xd8);
    expect(digestText('a\ud83c')).toBe(createHash('sha256').update(bytes).digest('hex'));
  });
});
