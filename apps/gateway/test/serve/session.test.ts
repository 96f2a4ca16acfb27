import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Sessions } from '../../src/serve/auth/session.ts';

const KEY = randomBytes(32);
const OWNER = { workspace: 'w1', principal: 'ada', server: 'mail' };
const CONTENT = { upstream: 'upstream-session', canElicit: true };
const sessions = new Sessions([KEY]);
const sealed = sessions.seal(OWNER, CONTENT);

test('a sealed session opens in any replica with the key', () => {
  expect(new Sessions([KEY]).open(sealed, OWNER)).toEqual(CONTENT);
  expect(sessions.open(sessions.seal(OWNER, { canElicit: false }), OWNER)).toEqual({ canElicit: false });
});

test('an id is visible ASCII, bounded and unique', () => {
  const longest = sessions.seal(OWNER, { upstream: 'a'.repeat(1024), canElicit: false });
  for (const id of [sealed, longest]) expect(id).toMatch(/^[!-~]{1,2000}$/);
  expect(sessions.seal(OWNER, CONTENT)).not.toBe(sealed);
  // It reveals neither its owner nor its content.
  const bytes = Buffer.from(sealed.slice(4), 'base64url').toString('latin1');
  for (const word of ['w1', 'ada', 'mail', 'upstream-session']) expect(bytes).not.toContain(word);
  expect(() => sessions.seal(OWNER, { upstream: 'a'.repeat(3000), canElicit: false })).toThrow(TypeError);
});

describe('not opened', () => {
  test.each([
    { title: "another workspace's", owner: { ...OWNER, workspace: 'w2' } },
    { title: "another principal's", owner: { ...OWNER, principal: 'eve' } },
    { title: "another server's", owner: { ...OWNER, server: 'bank' } },
    { title: 'parts moved from one name to the next', owner: { workspace: 'w1ada', principal: '', server: 'mail' } },
    { title: 'a quotation mark that joins two names', owner: { workspace: 'w1","ada', principal: 'mail', server: '' } },
  ])('$title', ({ owner }) => {
    expect(sessions.open(sealed, owner)).toBeUndefined();
  });

  test('owners with similar names stay distinct', () => {
    const names = fc.record({ workspace: fc.string(), principal: fc.string(), server: fc.string() });
    fc.assert(
      fc.property(names, names, (one, other) => {
        const isSame =
          one.workspace === other.workspace && one.principal === other.principal && one.server === other.server;
        expect(sessions.open(sessions.seal(one, CONTENT), other) !== undefined).toBe(isSame);
      }),
      { numRuns: 300 },
    );
  });

  test('any bit flipped, any end cut off', () => {
    const bytes = Buffer.from(sealed.slice(4), 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7));
      expect(sessions.open(`sp1.${changed.toString('base64url')}`, OWNER)).toBeUndefined();
    }
    for (let length = 0; length < sealed.length; length++)
      expect(sessions.open(sealed.slice(0, length), OWNER)).toBeUndefined();
  });

  test('any character changed', () => {
    for (let at = 0; at < sealed.length; at++)
      for (const character of ['A', 'B', '_', '.', '=', ' ', '\n', '\u00e9']) {
        if (sealed[at] === character) continue;
        expect(sessions.open(sealed.slice(0, at) + character + sealed.slice(at + 1), OWNER)).toBeUndefined();
      }
  });

  test.each([
    { title: 'another key', payload: new Sessions([randomBytes(32)]).seal(OWNER, CONTENT) },
    { title: 'nothing', payload: '' },
    { title: 'the prefix', payload: 'sp1.' },
    { title: 'something behind', payload: `${sealed}A` },
    { title: 'padding', payload: `${sealed}==` },
    {
      title: 'the other alphabet of base64',
      payload: `${sealed.replace(/-/g, '+').replace(/_/g, '/')}+`,
    },
    { title: 'very long', payload: `sp1.${'A'.repeat(100_000)}` },
    { title: "a server's own id", payload: '1868a90c-7ab7-4b1c-8a2e-6f1d' },
  ])('$title', ({ payload }) => {
    expect(sessions.open(payload, OWNER)).toBeUndefined();
  });
});

test('key rotation does not end sessions', () => {
  const next = randomBytes(32);
  const both = new Sessions([next, KEY]);
  expect(both.open(sealed, OWNER)).toEqual(CONTENT);
  expect(new Sessions([next]).open(both.seal(OWNER, CONTENT), OWNER)).toEqual(CONTENT);
  expect(new Sessions([next]).open(sealed, OWNER)).toBeUndefined();
});

test('a short or missing key is refused', () => {
  expect(() => new Sessions([])).toThrow(TypeError);
  expect(() => new Sessions([KEY, new Uint8Array(16)])).toThrow(TypeError);
});
