import { expect, test } from 'vitest';
import { toolsOf } from '../src/index.ts';
import { POISON } from './fixture/mail.ts';

const listed = {
  tools: [
    { name: 'search', description: POISON, annotations: { readOnlyHint: true }, inputSchema: { type: 'object' } },
    { name: 'look', annotations: { readOnlyHint: true, openWorldHint: false } },
    { name: 'note', annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false } },
    { name: 'post', annotations: { destructiveHint: false } },
    { name: 'wipe', annotations: {} },
    { name: 'odd', annotations: 'readOnlyHint' },
  ],
};

test('the hints of a server count only if its definitions are pinned', () => {
  const effects = (pinned: boolean) => toolsOf(listed, { pinned }).map(({ name, effect }) => `${name} ${effect}`);
  expect(effects(true)).toEqual([
    'search fetch',
    'look read',
    'note write',
    'post send',
    'wipe destroy',
    'odd execute',
  ]);
  expect(effects(false)).toEqual([
    'search fetch',
    'look fetch',
    'note execute',
    'post send',
    'wipe destroy',
    'odd execute',
  ]);
});

test('a schema counts only if it is pinned, and results are external', () => {
  expect(toolsOf(listed, { pinned: true })[0]?.parameters).toBeDefined();
  expect(toolsOf(listed)[0]?.parameters).toBeUndefined();
  expect(toolsOf(listed, { pinned: true }).every(({ source }) => source.origin === 'external')).toBe(true);
});

test('names are those of the transport, and a value that is not a listing has no tools', () => {
  expect(toolsOf(listed, { name: (tool) => `web_${tool}` })[0]?.name).toBe('web_search');
  expect([toolsOf(undefined), toolsOf({ tools: 'search' }), toolsOf({ tools: [7] })]).toEqual([[], [], []]);
});

test('a tool with an invalid name is skipped, and the others stay', () => {
  const tools = ['', 'a'.repeat(257), undefined, 7, 'search'].map((name) => ({ name }));
  expect(toolsOf({ tools }).map(({ name }) => name)).toEqual(['search']);
  const failing = () => {
    throw new TypeError('a mistake of your own');
  };
  expect(() => toolsOf({ tools }, { name: failing })).toThrow(/mistake of your own/);
});
