import { expect, it } from 'vitest';
import { listed } from './fixture/rig.ts';

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
