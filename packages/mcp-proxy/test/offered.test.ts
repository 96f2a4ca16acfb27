import { expect, it } from 'vitest';
import type { Listed } from '../src/content/pin.ts';
import { offered } from '../src/index.ts';
import { listed, Rig } from './fixture/rig.ts';
import { Store } from './fixture/store.ts';

const READ = { name: 'read', inputSchema: { type: 'object' } };
const REMOVE = { name: 'remove', description: 'Removes a file', inputSchema: { type: 'object' } };

it('a tool that is not offered is neither listed, nor pinned, nor called', async () => {
  const rig = await listed({ isOffered: (tool) => tool !== 'remove' }, [READ]);
  expect(await rig.list([READ, REMOVE])).toEqual([READ]);
  expect(Object.keys((await rig.store.load())?.tools ?? {})).toEqual(['read']);
  await rig.say({ jsonrpc: '2.0', id: 99, method: 'tools/call', params: { name: 'remove', arguments: {} } });
  expect(rig.server).toEqual([]);
  expect(rig.message()).toMatchObject({ id: 99, error: { code: -32602, message: 'Unknown tool' } });
});

it('a listing in which tools are hidden says nothing about what the server has withdrawn', async () => {
  const listings: (Listed | undefined)[] = [];
  const store = new Store();
  const pins = Object.assign(store, { hold: (_held: unknown, of?: Listed) => void listings.push(of) });
  const rig = new Rig({ isOffered: (tool) => tool !== 'remove' }, pins);
  await rig.list([READ, REMOVE]);
  await rig.list([READ]);
  expect(listings.slice(-2)).toEqual([
    { type: 'tools', names: ['read'], isWhole: false },
    { type: 'tools', names: ['read'], isWhole: true },
  ]);
});

it.each([
  { list: 'read', names: ['read'], others: ['read_', 'Read', 'aread'] },
  { list: 'read_*', names: ['read_', 'read_a'], others: ['read', 'a_read_'] },
  { list: '*', names: ['', 'a'], others: [] },
  { list: 'a*b*c', names: ['abc', 'axbxc', 'abbcc'], others: ['ab', 'ac', 'acb', 'abcx'] },
  { list: '**ab*ab', names: ['abab', 'xabyab'], others: ['ab', 'aba'] },
  { list: 'a.c', names: ['a.c'], others: ['abc'] },
])('a list with $list has exactly the names that fit', ({ list, names, others }) => {
  const isOffered = offered({ allow: [list] });
  expect([names.filter(isOffered), others.filter(isOffered)]).toEqual([names, []]);
  expect(names.filter(offered({ hide: [list] }))).toEqual([]);
});

it('a long name is compared with a pattern of many stars in linear time', () => {
  const isOffered = offered({ allow: [`${'a*'.repeat(100)}b`] });
  expect(isOffered('a'.repeat(2_000_000))).toBe(false);
});
