import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isLinear, repeated } from '../../core/test/fixture/linear.ts';
import { type JsonNode, memberOf, readJson, readValue, stringAt } from '../src/json/json.ts';
import { deep, written } from './fixture/json.ts';

/** The value that the places of nodes add up to. */
function valueAt(text: string, node: JsonNode): unknown {
  if (node.type === 'array') return node.members.map(({ value }) => valueAt(text, value));
  if (node.type !== 'object') return JSON.parse(text.slice(node.start, node.end));
  // As JSON.parse does it: a name of its own for every name, also for __proto__.
  return Object.fromEntries(node.members.map(({ name, value }) => [name, valueAt(text, value)]));
}

describe('readJson', () => {
  it('finds every value where JSON.parse finds it, whatever blanks and escapes it is written with', () => {
    fc.assert(
      fc.property(written(), ({ text }) => {
        const { root } = readJson(text);
        expect(valueAt(text, root)).toStrictEqual(JSON.parse(text));
        expect(text.slice(root.start, root.end)).toBe(text.trim());
      }),
      { numRuns: 1000 },
    );
  });

  it('gives places that slice to whole values, names included', () => {
    fc.assert(
      fc.property(written(), ({ text }) => {
        const left = [readJson(text).root];
        for (let node = left.pop(); node !== undefined; node = left.pop()) {
          expect(() => JSON.parse(text.slice(node?.start, node?.end))).not.toThrow();
          for (const { name, start, value } of node.members) {
            left.push(value);
            if (name === undefined) expect(start).toBe(value.start);
            else expect(JSON.parse(`{${text.slice(start, value.end)}}`)).toHaveProperty([name]);
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  it('says whether an object names a member twice, however the name is written', () => {
    fc.assert(
      fc.property(written(), ({ text, hasTwins }) => {
        expect(readJson(text).isAmbiguous).toBe(hasTwins);
      }),
      { numRuns: 1000 },
    );
    expect(readJson('{"a":1,"\\u0061":2}').isAmbiguous).toBe(true);
    expect(readJson('{"a":{"b":1},"b":{"a":1}}').isAmbiguous).toBe(false);
    expect(readJson('[{"x":1,"x":1}]').isAmbiguous).toBe(true);
  });

  it.each([
    ['[', ']', 'array'],
    ['{"a":', '}', 'object'],
  ])('reads 100000 levels of %s', (open, close, type) => {
    const { root } = readJson(deep(100_000, '1', open, close));
    let levels = 0;
    for (let node: JsonNode | undefined = root; node?.type === type; node = node.members[0]?.value) levels++;
    expect(levels).toBe(100_000);
  });

  it('takes time in proportion to a text of backslashes and quotation marks', async () => {
    const textOf = (size: number): string => JSON.stringify([repeated('\\"', size), repeated('"\\\\', size)]);
    expect(readJson(textOf(600_000)).root.members).toHaveLength(2);
    expect(await isLinear(600_000, (size) => readJson(textOf(size)))).toBe(true);
  });

  it.each(['""', '"\\""', '"\\\\"', '"\\\\\\""', '"\\u005c"', '"a\\\\\\\\"', '"\\\\\\\\\\""'])(
    'ends the string %s',
    (text) => {
      const { root } = readJson(`[${text},${text}]`);
      expect(root.members.map(({ value }) => stringAt(`[${text},${text}]`, value))).toEqual([
        JSON.parse(text),
        JSON.parse(text),
      ]);
    },
  );
});

describe('memberOf and readValue', () => {
  it('give what stands under a name, and nothing where there is none', () => {
    const text = '{ "a" : [1] , "__proto__" : 2, "toString": null }';
    const { root } = readJson(text);
    expect(readValue(text, memberOf(root, 'a'))).toEqual([1]);
    expect(readValue(text, memberOf(root, '__proto__'))).toBe(2);
    expect(readValue(text, memberOf(root, 'toString'))).toBe(null);
    expect(memberOf(root, 'valueOf')).toBe(undefined);
    expect(memberOf(memberOf(root, 'a'), '0')).toBe(undefined);
    expect(memberOf(undefined, 'a')).toBe(undefined);
    expect(readValue(text, undefined)).toBe(undefined);
  });
});
