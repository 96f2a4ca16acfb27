import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  hasDuplicateNames,
  type JsonNode,
  memberOf,
  membersAt,
  readJson,
  startOfJson,
  stringAt,
} from '../../src/base/json-positions.ts';
import { parseJson, readValue } from '../../src/base/parse-json.ts';
import { deep, written } from '../fixture/json.ts';
import { isLinear, repeated } from '../fixture/linear.ts';

/** The value that the positions of a node's members describe. */
function valueAt(text: string, node: JsonNode): unknown {
  if (node.type === 'array') return node.members.map(({ value }) => valueAt(text, value));
  if (node.type !== 'object') return JSON.parse(text.slice(node.start, node.end));
  // Like JSON.parse, which defines an own property for every name, __proto__ included.
  return Object.fromEntries(node.members.map(({ name, value }) => [name, valueAt(text, value)]));
}

describe('readJson', () => {
  it('finds every value that JSON.parse finds, for all white space and escapes', () => {
    fc.assert(
      fc.property(written(), ({ text }) => {
        const { root } = readJson(text);
        expect(valueAt(text, root)).toStrictEqual(parseJson(text));
        expect(text.slice(root.start, root.end)).toBe(text.trim());
      }),
      { numRuns: 1000 },
    );
  });

  it('gives positions that slice to whole values, names included', () => {
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

  it('hasDuplicateNames compares decoded names', () => {
    fc.assert(
      fc.property(written(), ({ text, hasDuplicateNames: expected }) => {
        expect(hasDuplicateNames(readJson(text).root)).toBe(expected);
      }),
      { numRuns: 1000 },
    );
    expect(hasDuplicateNames(readJson('{"a":1,"\\u0061":2}').root)).toBe(true);
    expect(hasDuplicateNames(readJson('{"a":{"b":1},"b":{"a":1}}').root)).toBe(false);
    expect(hasDuplicateNames(readJson('[{"x":1,"x":1}]').root)).toBe(true);
  });

  it.each([
    ['[', ']', 'array'],
    ['{"a":', '}', 'object'],
  ])('reads 100000 levels of %s without recursion', (open, close, type) => {
    const { root } = readJson(deep(100_000, '1', open, close));
    let levels = 0;
    for (let node: JsonNode | undefined = root; node?.type === type; node = node.members[0]?.value) levels++;
    expect(levels).toBe(100_000);
  });

  it('reads backslashes and quotation marks in linear time', async () => {
    const textOf = (size: number): string => JSON.stringify([repeated('\\"', size), repeated('"\\\\', size)]);
    expect(readJson(textOf(600_000)).root.members).toHaveLength(2);
    expect(await isLinear(600_000, (size) => readJson(textOf(size)))).toBe(true);
  });

  it.each(['""', '"\\""', '"\\\\"', '"\\\\\\""', '"\\u005c"', '"a\\\\\\\\"', '"\\\\\\\\\\""'])(
    'finds the end of the string %s',
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
  it('return the value of a name, and undefined if there is none', () => {
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

describe('membersAt', () => {
  it('yields the members that readJson finds', () => {
    fc.assert(
      fc.property(written(), ({ text }) => {
        const { root } = readJson(text);
        const expected = root.type === 'object' ? root.members : [];
        expect([...membersAt(text, startOfJson(text))]).toEqual(
          expected.map(({ name, value: { start, end } }) => ({ name, value: { start, end } })),
        );
      }),
      { numRuns: 1000 },
    );
  });

  it('skips 100000 levels without recursion', () => {
    const inner = deep(100_000, '1');
    const text = `{"a":${inner},"b":2}`;
    expect([...membersAt(text, 0)].map(({ name }) => name)).toEqual(['a', 'b']);
  });
});

describe('text that is not JSON', () => {
  it.each(['', ' ', '"', '{"a', '{"a":"\\"', '[[', '}', ']]', '{"a":}', 'x y'])('ends for %j', (text) => {
    expect(() => [readJson(text), ...membersAt(text, 0)]).not.toThrow();
  });
});
