import { describe, expect, it } from 'vitest';
import { checkOptionNames, describeType, describeValue } from '../../src/base/errors.ts';
import { SallyportError } from '../../src/index.ts';

/** The class as another copy of the package would define it. */
class Other extends Error {
  constructor() {
    super('from another copy');
    Object.defineProperty(this, Symbol.for('sallyport.error'), { value: true });
  }
}

describe('received values in error messages', () => {
  it('shows short options as they are', () => {
    expect(['tag', 3, Number.NaN, false].map(describeValue)).toEqual(['"tag"', '3', 'NaN', 'false']);
    expect(describeValue('x'.repeat(61))).toBe(`"${'x'.repeat(60)}..."`);
  });

  it('shows other values by their type', () => {
    const values = [null, undefined, [], {}, () => 1, Symbol('s'), 1n, new Uint8Array(3)];
    const types = ['null', 'undefined', 'an array', 'an object', 'a function', 'a symbol', 'a bigint', '3 bytes'];
    expect(values.map(describeValue)).toEqual(types);
    expect(values.map(describeType)).toEqual(types);
  });

  it('never shows content or secrets', () => {
    expect(describeType('secret')).toBe('a string of 6 characters');
  });

  it('names an unknown option and lists the known ones', () => {
    expect(() => checkOptionNames({ maxByte: 1 }, ['maxBytes', 'keep'], 'limits')).toThrow(
      'limits has no option "maxByte". The options are maxBytes, keep.',
    );
  });
});

describe('SallyportError', () => {
  it('has a code, a message, a name and a cause', () => {
    const cause = new Error('why');
    const error = new SallyportError('ERR_CYCLE', 'Pass a tree.', { cause });
    expect([error.name, error.code, error.message, error.cause]).toEqual([
      'SallyportError',
      'ERR_CYCLE',
      'Pass a tree.',
      cause,
    ]);
    expect(error).toBeInstanceOf(Error);
    expect('cause' in new SallyportError('ERR_CYCLE', 'x')).toBe(false);
  });

  it('isInstance() accepts errors of another copy of the package', () => {
    expect(SallyportError.isInstance(new Other())).toBe(true);
    expect(new Other()).not.toBeInstanceOf(SallyportError);
    expect(SallyportError.isInstance(new SallyportError('ERR_CYCLE', 'x'))).toBe(true);
  });

  it('isInstance() refuses everything else', () => {
    const fakes = [
      new Error('x'),
      { name: 'SallyportError', code: 'ERR_CYCLE' },
      JSON.parse(JSON.stringify(new SallyportError('ERR_CYCLE', 'x'))),
      { [Symbol('sallyport.error')]: true },
      null,
      undefined,
      'ERR_CYCLE',
    ];
    expect(fakes.filter((fake) => SallyportError.isInstance(fake))).toEqual([]);
  });

  it('the mark of the class is not enumerable', () => {
    expect(Object.keys(new SallyportError('ERR_CYCLE', 'x')).sort()).toEqual(['code', 'name']);
  });
});
