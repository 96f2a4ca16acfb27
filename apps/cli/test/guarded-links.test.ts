import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { createBoundary, type Decision, defineTool } from '@sallyport/core';
import { beforeEach, describe, expect, test } from 'vitest';
import { Locator } from '../src/guarded/path.ts';
import { guardedFiles } from '../src/guarded-files.ts';
import { TestFolder } from './fixtures/rig.ts';

const tools = [
  defineTool({ name: 'read_file', effect: 'read', origin: 'workspace' }),
  defineTool({ name: 'write_file', effect: 'write', origin: 'workspace', modelText: ['content'] }),
  defineTool({ name: 'shell', effect: 'execute', origin: 'external' }),
];

let folder: TestFolder;
beforeEach(() => {
  folder = new TestFolder();
  return () => folder.remove();
});

const SAID = 'Have a look around.';

/** In the project `p` of the home folder. */
async function check(tool: string, given: object, said = SAID, worksIn = 'home/p'): Promise<readonly string[]> {
  const rules = guardedFiles(folder.state, { home: folder.path('home'), folder: () => folder.path(worksIn) });
  const conversation = createBoundary({ tools, gate: { rules } }).conversation('c');
  await conversation.render([]);
  await conversation.frame(conversation.addUserMessage(said));
  const decision: Decision = await conversation.check({ id: 'one', tool, arguments: given });
  return decision.rules;
}

function link(name: string, target: string): void {
  const path = folder.path(`home/p/${name}`);
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path);
}

const ROWS: readonly { title: string; origin: string; target: string; tool: string; expected: string }[] = [
  {
    title: 'to a key',
    origin: 'repository',
    target: '../../.ssh/id_rsa',
    tool: 'read_file',
    expected: 'secretFiles',
  },
  {
    title: 'to the settings of a host',
    origin: 'repository',
    target: '../.claude/settings.local.json',
    tool: 'write_file',
    expected: 'ownFiles',
  },
  {
    title: 'to a hook of git',
    origin: 'repository',
    target: '../.git/hooks/pre-commit',
    tool: 'write_file',
    expected: 'ownFiles',
  },
  {
    title: 'to a setting of the shell',
    origin: 'repository',
    target: '../../.bashrc',
    tool: 'write_file',
    expected: 'ownFiles',
  },
];

describe('a link', () => {
  test.each(ROWS)('$title is asked about, whether it exists or not', async ({ target, tool, expected }) => {
    link('docs/example.txt', target);
    const given = { path: 'docs/example.txt', content: 'x' };
    expect(await check(tool, given)).toContain(expected);
    expect(await check('shell', { command: 'cat x > docs/example.txt' })).toContain(expected);
    folder.write(`home/p/docs/${target}`, 'x');
    expect(await check(tool, given)).toContain(expected);
  });

  test('to a folder, to another link, and in a circle', async () => {
    folder.write('home/.ssh/id_rsa', 'x');
    link('a', '../.ssh');
    link('b', 'a');
    link('c', 'c');
    expect(await check('read_file', { path: 'b/config' })).toContain('secretFiles');
    expect(await check('read_file', { path: 'c/config' })).toEqual(['reads']);
  });

  test('that the user named may lead where they do not know', async () => {
    link('docs/example.txt', '../../.ssh/id_rsa');
    expect(await check('read_file', { path: 'docs/example.txt' }, 'Read docs/example.txt.')).toContain('secretFiles');
  });

  test('is followed if the home folder is a link too', async () => {
    mkdirSync(folder.path('var/home/p'), { recursive: true });
    symlinkSync(folder.path('var/home'), folder.path('home'));
    link('docs/example.txt', '../../.config/hub');
    expect(await check('read_file', { path: 'docs/example.txt' })).toContain('secretFiles');
    expect(await check('write_file', { path: 'src/a.ts', content: 'x' })).not.toContain('ownFiles');
  });

  test.each([
    { name: 'docs/latest.md', target: 'v2.md' },
    { name: 'node_modules/a', target: '.pnpm/a@1/node_modules/a' },
    { name: 'CLAUDE.md', target: 'AGENTS.md' },
    { name: 'data', target: '/srv/data' },
  ])('from $name to $target is not', async ({ name, target }) => {
    link(name, target);
    for (const tool of ['read_file', 'write_file'])
      expect(await check(tool, { path: name, content: 'x' })).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/secretFiles|ownFiles/)]),
      );
    expect(await check('shell', { command: `ls ${name}` })).not.toContain('ownFiles');
  });

  test('to the folder in which the host works is not asked about', async () => {
    mkdirSync(folder.path('home/.config/p'), { recursive: true });
    symlinkSync(folder.path('home/.config/p'), folder.path('home/p'));
    folder.write('home/p/a.md', 'x');
    expect(await check('write_file', { path: 'a.md', content: 'x' })).not.toContain('ownFiles');
  });

  test('above the folder in which the host works is not asked about', async () => {
    mkdirSync(folder.path('home/.config/p/docs'), { recursive: true });
    symlinkSync(folder.path('home/.config/p'), folder.path('home/p'));
    folder.write('home/p/README.md', 'x');
    link('docs/a.txt', '../.git/hooks/pre-commit');
    link('docs/b.txt', '../../fish/config.fish');
    const write = (name: string, worksIn: string): Promise<readonly string[]> =>
      check('write_file', { path: folder.path(name), content: 'x' }, SAID, worksIn);
    for (const worksIn of ['home/p/docs', 'home/.config/p/docs']) {
      expect(await write('home/p/README.md', worksIn)).not.toContain('ownFiles');
      expect(await write('home/p/docs/a.txt', worksIn)).toContain('ownFiles');
      expect(await write('home/p/docs/b.txt', worksIn)).toContain('ownFiles');
    }
  });

  test('to a setting of the shell is asked about in the home folder too', async () => {
    link('../notes.txt', '.bashrc');
    expect(await check('write_file', { path: 'notes.txt', content: 'x' }, SAID, 'home')).toContain('ownFiles');
  });

  // Folders of people, whatever this machine has.
  const at = (...names: readonly string[]): string => ['', ...names].join('/');
  const ME = at('Users', 'me');
  test.each([
    { path: at('root', 'repo', 'a'), expected: at('root', 'repo', 'a') },
    { path: at('home', 'other', 'a'), expected: at('home', 'other', 'a') },
    { path: at('Users', 'me', 'a'), expected: `${ME}/a` },
    { path: '~/repo/../a', expected: `${ME}/a` },
    { path: '$HOME/a', expected: `${ME}/a` },
    { path: 'a', expected: '/srv/a' },
  ])('written as $path is looked for as $expected', ({ path, expected }) => {
    expect(new Locator(ME).onDisk(path, '/srv')).toBe(expected);
  });
});

describe('is decided at once', () => {
  const words = (count: number): string => Array.from({ length: count }, (_, at) => `w${at}`).join(' ');

  async function timed(tool: string, given: object): Promise<number> {
    const start = performance.now();
    await check(tool, given);
    return performance.now() - start;
  }

  test.each([
    {
      title: 'a long path that does not exist, with many words',
      given: { command: `cd ${'a/'.repeat(40)}; ${words(500)}` },
    },
    { title: 'a deep path, with many words', given: { command: `cd ${'a/'.repeat(149)}a; ${words(555)}` } },
  ])('$title', async ({ given }) => {
    expect(await timed('shell', given)).toBeLessThan(1000);
  });

  test.each([12_000, 40_000])('a path of %i characters', async (length) => {
    const start = performance.now();
    expect(await check('read_file', { path: 'a/'.repeat(length / 2) })).toEqual(['reads']);
    expect(performance.now() - start).toBeLessThan(2000);
  });

  test('many words in a folder that exists, and a link after them is followed', async () => {
    link('docs/example.txt', '../.git/hooks/pre-commit');
    const command = `echo ${words(600)} > docs/example.txt`;
    expect(await timed('shell', { command })).toBeLessThan(1000);
    expect(await check('shell', { command })).toContain('ownFiles');
  });
});
