import { offered } from '@sallyport/mcp-proxy';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { TestFolder } from './fixtures/rig.ts';

let folder: TestFolder;
beforeEach(() => {
  folder = new TestFolder();
});
afterEach(() => folder.remove());

describe('the lists of tools', () => {
  test.each([
    { lists: {}, shown: ['read_file', 'delete_file', 'a.b', 'aXb'] },
    { lists: { allow: ['read_*'] }, shown: ['read_file'] },
    { lists: { allow: [] }, shown: [] },
    { lists: { hide: ['*_file'] }, shown: ['a.b', 'aXb'] },
    { lists: { allow: ['*_file'], hide: ['delete_file'] }, shown: ['read_file'] },
    { lists: { allow: ['a.b'] }, shown: ['a.b'] },
  ])('$lists', ({ lists, shown }) => {
    expect(['read_file', 'delete_file', 'a.b', 'aXb'].filter(offered(lists))).toEqual(shown);
  });
});

test.each([
  { title: 'by options', flags: ['--allow', 'echo, find', '--hide', 'find'], yaml: '' },
  { title: 'by settings', flags: [], yaml: 'servers: { mail: { allow: [echo, find], hide: [find] } }\n' },
])('tools are offered $title', async ({ flags, yaml }) => {
  if (yaml !== '') folder.write('config/sallyport/sallyport.yaml', yaml);
  const mail = await folder.wrap(['--server', 'mail', ...flags]);
  expect(await mail.list()).toEqual(['echo']);
  expect((await mail.call('find', { to: 'x' })).error).toMatchObject({ message: 'Unknown tool' });
  expect(folder.log()).not.toContain('called find');
});
