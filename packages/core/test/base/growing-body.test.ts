import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GrowingBody } from '../../src/base/growing-body.ts';
import { parseJson } from '../../src/base/parse-json.ts';

const item = (text: string): object => ({ role: 'user', content: text });
const bodyOf = (...messages: unknown[]): string => JSON.stringify({ model: 'm', messages, stream: true });

function parseAll(...texts: readonly string[]): unknown[] {
  const bodies = new GrowingBody('messages');
  return texts.map((text) => bodies.parse(text));
}

describe('GrowingBody', () => {
  it('reads every body as parseJson does, and writes it as JSON.stringify does', () => {
    const word = fc.string({ unit: fc.constantFrom('a', '"', '\\', ',', ']', '}', '{', '\n', '\u2028'), maxLength: 5 });
    const value = fc.oneof(fc.jsonValue({ maxDepth: 2 }), word, fc.dictionary(word, word, { noNullPrototype: true }));
    const change = fc.record({
      keep: fc.nat(6),
      added: fc.array(value, { maxLength: 3 }),
      model: fc.constantFrom('m', 'n'),
    });
    const before = fc.constantFrom(true, false);
    fc.assert(
      fc.property(fc.array(change, { minLength: 3, maxLength: 6 }), before, (changes, isFirst) => {
        const bodies = new GrowingBody('messages');
        let messages: unknown[] = [];
        for (const { keep, added, model } of changes) {
          messages = [...messages.slice(0, keep), ...added];
          const text = JSON.stringify(isFirst ? { messages, model } : { model, messages });
          const body = bodies.parse(text) as Record<string, unknown>;
          expect(body).toStrictEqual(parseJson(text));
          expect(bodies.write(body)).toBe(text);
          const shown = { ...body, system: undefined, messages: [...(body.messages as unknown[]), undefined, 'x'] };
          expect(bodies.write(shown)).toBe(JSON.stringify(shown));
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('returns the same objects for what a body repeats', () => {
    const texts = [bodyOf(item('a')), bodyOf(item('a')), bodyOf(item('a'), item('b'))];
    const [, second, third] = parseAll(...texts) as { messages: object[] }[];
    expect(third?.messages[0]).toBe(second?.messages[0]);
    expect(third).toStrictEqual(JSON.parse(texts[2] as string));
  });

  it.each([
    { title: 'another item of the same length', payload: [item('a'), item('c')] },
    { title: 'fewer items', payload: [item('a')] },
    { title: 'no items', payload: [] },
    { title: 'an item that begins like the one before', payload: [item('a'), { ...item('b'), name: 'x' }] },
    { title: 'items that are not objects', payload: [item('a'), 12, 123, 'b', null, [1]] },
  ])('reads $title', ({ payload }) => {
    const text = bodyOf(...payload);
    const before = bodyOf(item('a'), item('b'));
    expect(parseAll(before, before, text, text).at(-1)).toStrictEqual(JSON.parse(text));
  });

  it.each([
    { title: 'a comma before the end of the list', from: '}],"stream"', to: '},],"stream"' },
    { title: 'a comma and a blank before the end', from: '}],"stream"', to: '}, ],"stream"' },
    { title: 'no comma between items', from: '},{', to: '}{' },
    { title: 'a list without an end', from: '],"stream":true}', to: '' },
  ])('refuses $title', ({ from, to }) => {
    const text = bodyOf(item('a'), item('b'));
    const broken = text.replace(from, to);
    expect(broken).not.toBe(text);
    expect(() => parseAll(text, text, broken)).toThrow(SyntaxError);
  });

  it.each(['[]', '"messages"', '{"messages":{"a":1}}', '{"input":[1]}'])('reads %s, which has no such list', (text) => {
    expect(parseAll(text, text, text).at(-1)).toStrictEqual(JSON.parse(text));
  });
});
