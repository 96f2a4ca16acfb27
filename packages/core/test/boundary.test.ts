import { afterEach, describe, expect, it, vi } from 'vitest';
import type { EventDetails } from '../src/event.ts';
import { type BoundaryOptions, type ClassifierV1, createBoundary, defineTool, source } from '../src/index.ts';
import type { Verdict } from '../src/stages.ts';
import { bare } from './fixture/bare.ts';

const KEY = new Uint8Array(32).fill(7);
const code = (expected: string) => expect.objectContaining({ name: 'SallyportError', code: expected });
const clean: ClassifierV1 = { specificationVersion: 'v1', id: 'clean', doClassify: () => ({ spans: [] }) };
const stuck: ClassifierV1 = { specificationVersion: 'v1', id: 'stuck', doClassify: () => new Promise(() => undefined) };

async function shown(options: BoundaryOptions, content = 'x', id = 'c'): Promise<string> {
  const conversation = createBoundary(options).conversation(id);
  return (await conversation.frame(conversation.addContent({ source: source('external'), content }))).text;
}

afterEach(() => vi.useRealTimers());

describe('createBoundary', () => {
  it.each([
    [{ key: new Uint8Array(31) }, 'ERR_INVALID_KEY'],
    [{ key: 'k'.repeat(32) }, 'ERR_INVALID_KEY'],
    [{ key: '0123456789abcdef'.repeat(4) }, 'ERR_INVALID_KEY'],
    [{ key: new Array(32).fill(7) }, 'ERR_INVALID_KEY'],
    [{ key: {} }, 'ERR_INVALID_KEY'],
    [{ key: 7 }, 'ERR_INVALID_KEY'],
    [{ tools: [{ name: 'x', source: source('system') }] }, 'ERR_INVALID_OPTION'],
    [{ tools: ['x'] }, 'ERR_INVALID_OPTION'],
    [{ preset: 'strict' }, 'ERR_INVALID_OPTION'],
    [{ trustedTools: ['x'] }, 'ERR_INVALID_OPTION'],
    [{ gate: { presets: 'strict' } }, 'ERR_INVALID_OPTION'],
    [{ limits: { maxbytes: 5 } }, 'ERR_INVALID_OPTION'],
    [{ tools: {} }, 'ERR_INVALID_OPTION'],
    [{ tools: [defineTool({ name: 'x' }), defineTool({ name: 'x', trusted: true })] }, 'ERR_INVALID_NAME'],
    [{ classifier: {} }, 'ERR_INVALID_CLASSIFIER'],
    [{ classifier: { ...clean, specificationVersion: 'v2' } }, 'ERR_INVALID_CLASSIFIER'],
    [{ classifier: { ...clean, id: '' } }, 'ERR_INVALID_CLASSIFIER'],
    [{ cache: {} }, 'ERR_INVALID_OPTION'],
    [{ cache: { get: () => undefined } }, 'ERR_INVALID_OPTION'],
    [{ timeout: 0 }, 'ERR_INVALID_OPTION'],
    [{ timeout: -1 }, 'ERR_INVALID_OPTION'],
    [{ timeout: Number.NaN }, 'ERR_INVALID_OPTION'],
    [{ timeout: Number.POSITIVE_INFINITY }, 'ERR_INVALID_OPTION'],
    [{ timeout: '1000' }, 'ERR_INVALID_OPTION'],
    [{ timeout: 2 ** 31 }, 'ERR_INVALID_OPTION'],
    [{ limits: { maxBytes: -1 } }, 'ERR_INVALID_OPTION'],
    [{ limits: { maxMediaLength: 1.5 } }, 'ERR_INVALID_OPTION'],
    [{ limits: { keep: 'tail' } }, 'ERR_INVALID_OPTION'],
    [{ sections: ['9'] }, 'ERR_INVALID_NAME'],
    [{ sections: ['a b'] }, 'ERR_INVALID_NAME'],
    [{ sections: ['n'.repeat(65)] }, 'ERR_INVALID_NAME'],
    [{ sections: [5] }, 'ERR_INVALID_NAME'],
    [{ sections: 'mr_body' }, 'ERR_INVALID_OPTION'],
    [{ onEvent: 'log' }, 'ERR_INVALID_OPTION'],
    [{ timer: {} }, 'ERR_INVALID_OPTION'],
    [{ timer: { set: () => 0 } }, 'ERR_INVALID_OPTION'],
  ])('refuses %j with %s', (options, expected) => {
    expect(() => createBoundary(options as never)).toThrow(code(expected));
  });

  it.each(['', undefined, 5, null])('refuses the conversation id %j', (id) => {
    expect(() => createBoundary().conversation(id as never)).toThrow(code('ERR_INVALID_NAME'));
  });

  it('works without options and reports unchecked content', async () => {
    const conversation = createBoundary().conversation('c');
    const framed = await conversation.frame(conversation.addContent({ content: 'x' }));
    expect(framed.text).toMatch(/<untrusted [a-z]+(?: [a-z]+){3} origin=unknown check=none>x<\/untrusted /);
  });

  it('renders the same bytes only with the same key and id', async () => {
    const options = { key: KEY, classifier: clean };
    const first = await shown(options);
    expect(await shown(options)).toBe(first);
    expect(await shown(options, 'x', 'd')).not.toBe(first);
    expect(await shown({ ...options, key: new Uint8Array(32).fill(8) })).not.toBe(first);
    expect(await shown({ classifier: clean })).not.toBe(await shown({ classifier: clean }));
  });

  it('copies the key, so that later changes have no effect', async () => {
    const key = Uint8Array.from(KEY);
    const boundary = createBoundary({ key, classifier: clean });
    key.fill(0);
    const conversation = boundary.conversation('c');
    const { text } = await conversation.frame(conversation.addContent({ source: source('external'), content: 'x' }));
    expect(text).toBe(await shown({ key: KEY, classifier: clean }));
  });

  it('applies its limits', async () => {
    expect(await shown({ key: KEY, classifier: clean, limits: { maxBytes: 1 } }, 'xyz')).toMatch(/ shown=1 of=3>$/);
  });

  it('uses the given cache', async () => {
    const keys: string[] = [];
    const cache = {
      get: (key: string) => void keys.push(`get ${key.slice(0, 9)}`),
      set: (key: string, verdict: Verdict) => void keys.push(`set ${key.slice(0, 9)} ${verdict.type}`),
    };
    await shown({ classifier: clean, cache });
    expect(keys).toEqual(['get clean 2d7', 'set clean 2d7 checked']);
  });

  it('uses the given timer', async () => {
    const log: unknown[] = [];
    const timer = {
      set: (callback: () => void, milliseconds: number) => {
        log.push(milliseconds);
        callback();
        return 'handle';
      },
      clear: (handle: unknown) => void log.push(handle),
    };
    expect(await shown({ classifier: stuck, timer, timeout: 123 })).toContain(' check=none>');
    expect(log).toEqual([123, 'handle']);
  });

  it('has a time limit of one second by default', async () => {
    vi.useFakeTimers();
    const events: EventDetails[] = [];
    const pending = shown({ classifier: stuck, onEvent: (event) => events.push(bare(event)) });
    await vi.advanceTimersByTimeAsync(999);
    expect(events).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(await pending).toContain(' check=none>');
    expect(events).toEqual([{ type: 'unchecked', recordId: 'record-1', reason: 'timeout', cause: undefined }]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('never passes the message of an error to a listener', async () => {
    const events: EventDetails[] = [];
    for (const thrown of [new RangeError('secret content'), 'secret content', { message: 'secret content' }, null]) {
      const classifier: ClassifierV1 = {
        ...clean,
        doClassify: () => {
          throw thrown;
        },
      };
      await shown({ classifier, onEvent: (event) => events.push(bare(event)) });
    }
    expect(events.map((event) => 'cause' in event && event.cause)).toEqual([
      'RangeError',
      'string',
      'object',
      'object',
    ]);
    expect(JSON.stringify(events)).not.toContain('secret');
  });

  it('is frozen', () => {
    expect(Object.isFrozen(createBoundary())).toBe(true);
  });
});
