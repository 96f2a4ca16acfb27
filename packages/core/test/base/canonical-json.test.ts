import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../src/base/canonical-json.ts';

describe('canonicalJson', () => {
  it.each([
    [null, 'null'],
    [undefined, 'null'],
    [() => 1, 'null'],
    [Symbol('x'), 'null'],
    [true, 'true'],
    [0, '0'],
    [-0, '0'],
    [1e21, '1e+21'],
    [Number.NaN, 'null'],
    [Number.POSITIVE_INFINITY, 'null'],
    [12345678901234567890n, '"12345678901234567890"'],
    ['a"\n\u2028', '"a\\"\\n\u2028"'],
    ['\ud83c', '"\\ud83c"'],
    [[], '[]'],
    [{}, '{}'],
    [[1, [2, [3]], {}], '[1,[2,[3]],{}]'],
    [[undefined, () => 1, Symbol('x'), null], '[null,null,null,null]'],
    [{ a: undefined, b: () => 1, c: Symbol('x'), d: 1n }, '{"d":"1"}'],
    [new Array(2), '[null,null]'],
    [new Date(0), '"1970-01-01T00:00:00.000Z"'],
    [{ toJSON: () => 5n }, '"5"'],
    [{ a: { toJSON: () => undefined }, b: 1 }, '{"b":1}'],
    [{ toJSON: 'not a function' }, '{"toJSON":"not a function"}'],
    [new Map([[1, 2]]), '{}'],
  ])('%# writes %o as %s', (value, expected) => {
    expect(canonicalJson(value)).toBe(expected);
  });

  it('sorts names by UTF-16 units, at every depth, as RFC 8785 does', () => {
    const value = { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\u{1f600}': 5, '\u0080': 6, '\u00f6': { b: 1, a: 2 } };
    expect(Object.keys(JSON.parse(canonicalJson(value)))).toEqual([
      '1',
      '\r',
      '\u0080',
      '\u00f6',
      '\u20ac',
      '\u{1f600}',
      '\ufb33',
    ]);
    expect(canonicalJson(value)).toContain('{"a":2,"b":1}');
  });

  it('does not depend on the order of the names', () => {
    expect(canonicalJson({ b: [{ d: 1, c: 2 }], a: 0 })).toBe(canonicalJson({ a: 0, b: [{ c: 2, d: 1 }] }));
  });

  it('keeps nested names, which a replacer list drops', () => {
    expect(canonicalJson({ args: { url: 'a' } })).not.toBe(canonicalJson({ args: { url: 'b' } }));
  });

  it('writes __proto__ as an ordinary name', () => {
    expect(canonicalJson(JSON.parse('{"__proto__":{"x":1}}'))).toBe('{"__proto__":{"x":1}}');
  });

  it('calls toJSON once per node, with its name', () => {
    const names: string[] = [];
    const itself = {
      toJSON(name: string): unknown {
        names.push(name);
        return itself;
      },
    };
    expect(canonicalJson({ a: itself, b: [itself] })).toBe('{"a":{},"b":[{}]}');
    expect(names).toEqual(['a', '0']);
  });

  it('writes a repeated object, and refuses one that contains itself', () => {
    const shared = { x: 1 };
    expect(canonicalJson([shared, shared, { shared }])).toBe('[{"x":1},{"x":1},{"shared":{"x":1}}]');
    const cycle: unknown[] = [];
    cycle.push({ cycle });
    expect(() => canonicalJson(cycle)).toThrow(expect.objectContaining({ code: 'ERR_CYCLE' }));
  });

  it('writes values that JSON.parse reads, 100,000 levels deep', () => {
    const text = `${'[{"a":'.repeat(50_000)}1${'}]'.repeat(50_000)}`;
    expect(canonicalJson(JSON.parse(text))).toBe(text);
  });
});
