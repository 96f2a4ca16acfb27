import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../src/base/parse-json.ts';
import { deep } from '../fixture/json.ts';
import { isLinear } from '../fixture/linear.ts';

/** Makes JSON.parse of Node.js 24 and 26 read `"h", <an escaped name>` as `"h", <this name>` (nodejs/node#63785). */
function rememberName(name: string): void {
  JSON.parse(JSON.stringify({ h: [], [name]: 0 }));
}

describe('parseJson', () => {
  it.each([
    { title: 'a letter', remembered: '\\u0061rgu', payload: '{"h":1,"\\u0061rguments":2}', expected: 'arguments' },
    { title: 'a quotation mark', remembered: '\\', payload: '{"h":1,"\\"":2}', expected: '"' },
    { title: 'a new line', remembered: '\\', payload: '{"h":1,"\\n":2}', expected: '\n' },
    { title: 'a name in a list', remembered: '\\', payload: '[{"h":1,"\\t":2}]', expected: '\t' },
  ])('reads $title as written, whatever was read before', ({ remembered, payload, expected }) => {
    rememberName(remembered);
    const value = parseJson(payload) as object;
    expect(Object.keys([value].flat()[0] as object)).toEqual(['h', expected]);
  });

  it('returns the value that was written, for all names', () => {
    const table = fc.dictionary(fc.string({ unit: fc.constantFrom('a', 'u', '0', '\\', '"', '\n') }), fc.string(), {
      noNullPrototype: true,
    });
    fc.assert(
      fc.property(table, (value) => {
        expect(parseJson(JSON.stringify([value, { h: value }]))).toStrictEqual([value, { h: value }]);
      }),
      { numRuns: 2000 },
    );
  });

  it('takes the last of two members with one name, however they are written', () => {
    expect(parseJson('{"a":1,"\\u0061":2}')).toStrictEqual({ a: 2 });
    expect(parseJson('{"\\u0061":{"b":1},"a":2}')).toStrictEqual({ a: 2 });
  });

  it('makes __proto__ an ordinary member', () => {
    const value = parseJson('{"\\u005f_proto__":{"isAdmin":true}}') as { readonly isAdmin?: boolean };
    expect(value.isAdmin).toBe(undefined);
    expect(Object.keys(value)).toEqual(['__proto__']);
  });

  it.each(['', '{', '{"a":1,}', "{'a':1}", '{"\\x":1}', '[1] 2'])('throws for %j, which is not JSON', (text) => {
    expect(() => parseJson(text)).toThrow(SyntaxError);
  });

  it('reads any depth, in linear time', async () => {
    expect(() => parseJson(`{"\\u0061":${deep(20_000)}}`)).not.toThrow();
    const work = (size: number): unknown => parseJson(`{"\\u0061":[${'"\\\\",'.repeat(size)}0]}`);
    expect(await isLinear(100_000, work)).toBe(true);
  });
});
