import { describe, expect, it } from 'vitest';
import { READING_RULES } from '../../src/adapter.ts';
import { prompt, type Recorded, source } from '../../src/index.ts';
import { ModelRequest } from '../../src/prompt/request.ts';
import {
  classifyWith,
  deriveKey,
  type Framed,
  frame,
  limit,
  quote,
  record,
  request,
  type SourceOrigin,
  vocabularyFor,
} from '../../src/stages.ts';

const KEY = deriveKey(new Uint8Array(32).fill(7), 'c');
const vocabulary = vocabularyFor();
const make = (id: string, origin: SourceOrigin, content = id): Recorded =>
  record({ id, source: source(origin, { confidentiality: origin === 'workspace' ? 'secret' : 'public' }), content });
const framed = (recorded: Recorded): Framed =>
  frame(quote(classifyWith(limit(recorded), [{ type: 'checked', spans: [] }]), vocabulary), KEY);
const entry = (recorded: Recorded) => ({ record: recorded, framed: framed(recorded) });
const code = (expected: string) => expect.objectContaining({ name: 'SallyportError', code: expected });

describe('request', () => {
  const ask = make('ask', 'user');
  const page = make('page', 'external');

  it('contains policy, reading rules and frames, in this order', () => {
    const made = request({ policy: prompt`Be kind.`, framed, entries: [entry(ask), entry(page)], vocabulary });
    expect(made.system).toBe(`Be kind.\n\n${READING_RULES}`);
    expect(made.text).toBe([made.system, framed(ask).text, framed(page).text].join('\n\n'));
    expect(made.entries.map(({ record: { id } }) => id)).toEqual(['ask', 'page']);
    expect([made, made.entries, made.records].map((each) => Object.isFrozen(each))).toEqual([true, true, true]);
  });

  it('contains only the reading rules without a policy', () => {
    const made = request({ policy: prompt``, framed, entries: [], vocabulary });
    expect([made.system, made.text]).toEqual([READING_RULES, READING_RULES]);
    expect(made.label).toEqual({ integrity: 'policy', confidentiality: 'public' });
  });

  it('lists every record that the model reads, including the values of the policy', () => {
    const note = make('note', 'workspace');
    const policy = prompt`<doc>${note}</doc> ${'loose'}`;
    const made = request({ policy, framed, entries: [], vocabulary: vocabularyFor(['doc']) });
    expect(made.records.map(({ id }) => id.slice(0, 7))).toEqual(['note', 'prompt/']);
    expect(made.label.integrity).toBe('unknown');
    const open = request({ policy: prompt`${'loose'}`, framed, entries: [entry(ask), entry(page)], vocabulary });
    expect(open.records.map(({ id }) => id.slice(0, 7))).toEqual(['prompt/', 'ask', 'page']);
    expect(open.label.integrity).toBe('unknown');
  });

  it('refuses an entry that was quoted without the sections of the policy', () => {
    const attempt = () => request({ policy: prompt`<doc>x</doc>`, framed, entries: [entry(page)], vocabulary });
    expect(attempt).toThrow(code('ERR_STAGE_SKIPPED'));
  });

  it('refuses two different records with the same id', () => {
    const other = make(page.id, 'user');
    const attempt = () => request({ policy: prompt``, framed, entries: [entry(page), entry(other)], vocabulary });
    expect(attempt).toThrow(code('ERR_INVALID_NAME'));
    const twice = request({ policy: prompt``, framed, entries: [entry(page), entry(page)], vocabulary });
    expect(twice.entries.length).toBe(2);
  });

  it.each([['Be kind.'], [undefined], [{ type: 'prompt', sections: [], records: [], free: [], render: () => 'x' }]])(
    'refuses the policy %j',
    (policy) => {
      const input = { policy: policy as never, framed, entries: [], vocabulary };
      expect(() => request(input)).toThrow(code('ERR_STAGE_SKIPPED'));
    },
  );

  it.each([
    ['a text', { record: ask, framed: 'ask' }],
    ['an object like a frame', { record: ask, framed: { type: 'framed', text: 'ask', pieces: [] } }],
    ['an object like a record', { record: { ...ask }, framed: framed(ask) }],
    ['the frame of another record', { record: ask, framed: framed(page) }],
    [
      'the frame of a record that only looks the same',
      { record: make('ask', 'user'), framed: framed(make('ask', 'external')) },
    ],
  ])('refuses an entry with %s', (_, wrong) => {
    const input = { policy: prompt``, framed, entries: [wrong as never], vocabulary };
    expect(() => request(input)).toThrow(code('ERR_STAGE_SKIPPED'));
  });

  it.each([
    ['a text', () => ({ text: 'RAW' }) as never],
    ['the frame of another record', () => framed(ask)],
  ])('refuses a frame for a free value that is %s', (_, wrong) => {
    const attempt = () => request({ policy: prompt`${page}`, framed: wrong, entries: [], vocabulary });
    expect(attempt).toThrow(code('ERR_STAGE_SKIPPED'));
  });

  it('reserves the sections of its policy, whatever the vocabulary', () => {
    const made = request({ policy: prompt`<doc>${'a</doc>b'}</doc>`, framed, entries: [], vocabulary });
    expect(made.system).toBe(`<doc>a~x3c~/doc>b</doc>\n\n${READING_RULES}`);
  });

  it('an object with the same fields is not accepted', () => {
    const made = request({ policy: prompt``, framed, entries: [], vocabulary });
    expect([{ ...made }, Object.create(made), null].filter((fake) => ModelRequest.is(fake))).toEqual([]);
    expect(ModelRequest.is(made)).toBe(true);
  });
});
