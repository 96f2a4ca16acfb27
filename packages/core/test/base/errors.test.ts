import { describe, expect, it } from 'vitest';
import { SallyportError } from '../../src/index.ts';

/** The class as another copy of the package would define it. */
class Other extends Error {
  constructor() {
    super('from another copy');
    Object.defineProperty(this, Symbol.for('sallyport.error'), { value: true });
  }
}

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

  it('knows the errors of another copy', () => {
    expect(SallyportError.isInstance(new Other())).toBe(true);
    expect(new Other()).not.toBeInstanceOf(SallyportError);
    expect(SallyportError.isInstance(new SallyportError('ERR_CYCLE', 'x'))).toBe(true);
  });

  it('knows nothing else', () => {
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

  it('does not show its mark among its properties', () => {
    expect(Object.keys(new SallyportError('ERR_CYCLE', 'x')).sort()).toEqual(['code', 'name']);
  });
});
