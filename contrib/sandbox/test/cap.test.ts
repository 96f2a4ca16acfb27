import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { QuickJS, type QuickJSOptions } from 'quickjs-wasi';
import { describe, expect, test } from 'vitest';
import { capMemory } from '../src/engine/memory-cap.ts';
import { wasm } from '../src/engine/wasm.ts';

const MIB = 1024 * 1024;
const PAGE = 65_536;
const HEAD = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];

/** A module out of sections: the first byte of each is its kind. */
function moduleOf(...sections: readonly (readonly number[])[]): Uint8Array {
  return Uint8Array.from([...HEAD, ...sections.flatMap(([id = 0, ...content]) => [id, content.length, ...content])]);
}

const EMPTY_TYPES = [1, 0];

const REFUSED = [
  { title: 'without a memory', payload: moduleOf(EMPTY_TYPES), expected: 'no memory of its own' },
  { title: 'that is empty', payload: new Uint8Array(), expected: 'no memory of its own' },
  { title: 'with several memories', payload: moduleOf([5, 2, 0, 1, 0, 1]), expected: 'must have one memory' },
  {
    title: 'that needs more to begin with',
    payload: moduleOf([5, 1, 0, 100]),
    expected: '100 pages of memory to start',
  },
  {
    title: 'that ends in a number',
    payload: Uint8Array.from([...HEAD, 5, 0x80]),
    expected: 'in the middle of a number',
  },
];

test.each(REFUSED)('a module $title is refused', ({ payload, expected }) => {
  expect(() => capMemory(payload, 64 * PAGE)).toThrow(expected);
});

const MODULES = [
  { title: 'no maximum', payload: moduleOf(EMPTY_TYPES, [5, 1, 0, 2], [7, 0]) },
  { title: 'a higher maximum', payload: moduleOf(EMPTY_TYPES, [5, 1, 1, 2, 100], [7, 0]) },
  { title: 'a lower maximum', payload: moduleOf(EMPTY_TYPES, [5, 1, 1, 2, 2], [7, 0]) },
];

test.each(MODULES)(
  'a module with $title gets the one that was asked for, and nothing else is changed',
  ({ payload }) => {
    const expected = moduleOf(EMPTY_TYPES, [5, 1, 1, 2, 8], [7, 0]);
    expect(capMemory(payload, 8 * PAGE)).toEqual(expected);
    expect(capMemory(payload, 9 * PAGE - 1)).toEqual(expected);
  },
);

describe('the module of the engine', () => {
  async function memoryAfter(limit: number, source: string): Promise<{ bytes: number; message: string }> {
    const file = createRequire(import.meta.url).resolve('quickjs-wasi/quickjs.wasm');
    const module = await wasm.compile(capMemory(await readFile(file), limit));
    let memory: { readonly buffer: ArrayBufferLike } | undefined;
    const vm = await QuickJS.create({
      wasm: module as unknown as QuickJSOptions['wasm'],
      wasi: (given: { readonly buffer: ArrayBufferLike }) => {
        memory = given;
        return {};
      },
    });
    let message = '';
    try {
      vm.evalCode(source);
    } catch (error) {
      message = String(error);
    }
    return { bytes: memory?.buffer.byteLength ?? 0, message };
  }

  test.each([4 * MIB, 16 * MIB, 48 * MIB])('does not grow past %i bytes, whatever it counts itself', async (limit) => {
    const twice = (2 * limit) / 1e5;
    const source = `globalThis.list = []; while (list.length < ${twice}) list.push(new Uint8Array(1e5));`;
    const { bytes, message } = await memoryAfter(limit, source);
    expect(message).toContain('out of memory');
    expect(bytes).toBeLessThanOrEqual(limit);
    expect(bytes).toBeGreaterThan(limit - MIB);
  });

  test('works where it stays below', async () => {
    const { bytes, message } = await memoryAfter(16 * MIB, 'globalThis.bytes = new Uint8Array(8e6);');
    expect(message).toBe('');
    expect(bytes).toBeGreaterThan(8e6);
  });
});
