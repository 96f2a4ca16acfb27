import { describe, expect, it } from 'vitest';
import { effectOfAnnotations } from '../../src/call/effect.ts';

describe('effectOfAnnotations', () => {
  it.each([
    [{ readOnlyHint: true, openWorldHint: false }, 'read'],
    [{ readOnlyHint: true, openWorldHint: false, destructiveHint: true }, 'read'],
    [{ readOnlyHint: true, openWorldHint: true }, 'fetch'],
    [{ readOnlyHint: true }, 'fetch'],
    [{ readOnlyHint: true, openWorldHint: 'false' }, 'fetch'],
    [{ readOnlyHint: 'true', openWorldHint: false }, 'destroy'],
    [{}, 'destroy'],
    [{ destructiveHint: true, openWorldHint: false }, 'destroy'],
    [{ destructiveHint: false }, 'send'],
    [{ destructiveHint: false, openWorldHint: true }, 'send'],
    [{ destructiveHint: false, openWorldHint: false }, 'write'],
    [undefined, 'execute'],
    [null, 'execute'],
    ['read', 'execute'],
  ])('pinned hints %j mean %s', (hints, expected) => {
    expect(effectOfAnnotations(hints as never, true)).toBe(expected);
  });

  it.each([
    [{ readOnlyHint: true, openWorldHint: false }],
    [{ readOnlyHint: true }],
    [{ destructiveHint: false, openWorldHint: false }],
    [{}],
    [undefined],
  ])('hints %j without a pin make nothing weaker', (hints) => {
    expect(effectOfAnnotations(hints, false)).toBe('execute');
  });
});
