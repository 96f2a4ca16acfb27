import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { commandOfPlugin, pluginOf } from '../src/init/hooks/opencode-plugin.ts';
import { TestFolder } from './fixtures/rig.ts';
import { createRig } from './init-rig.ts';

const FILE = 'home/.config/opencode/plugins/sallyport.js';
const YES = ['--yes', '--launcher', 'sallyport'];

describe('init', () => {
  test('writes the plugin, leaves one that was changed by hand, and deletes it', async () => {
    const rig = createRig();
    rig.write('home/.config/opencode/opencode.json', '{}');
    const { out } = await rig.run(YES, { hooks: true });
    expect(out).toContain('add hooks to 1 host');
    expect(rig.read(FILE)).toBe(pluginOf('sallyport hook opencode'));
    expect((await rig.run(YES, { hooks: true })).out).toContain('already has hooks');
    rig.write(FILE, `${rig.read(FILE)}// mine\n`);
    const { code, error } = await rig.run(['--undo', ...YES], { hooks: true });
    expect([code, error]).toEqual([1, expect.stringContaining('sallyport.js')]);
    rig.write(FILE, pluginOf('sallyport hook opencode'));
    expect((await rig.run(['--undo', ...YES], { hooks: true })).out).toContain('deleted');
    expect(existsSync(join(rig.home, '.config', 'opencode', 'plugins'))).toBe(false);
    expect(rig.read('home/.config/opencode/opencode.json')).toBe('{}');
  });

  test('knows its plugin by its text', () => {
    expect(commandOfPlugin(pluginOf('npx "a b" hook opencode'))).toBe('npx "a b" hook opencode');
    expect(commandOfPlugin('export const Other = async () => ({})')).toBeUndefined();
  });
});

interface Hooks {
  'command.execute.before'(input: object): Promise<void>;
  'chat.message'(input: object, output: object): Promise<void>;
  'tool.execute.before'(input: object, output: object): Promise<void>;
  'tool.execute.after'(input: object, output: object): Promise<void>;
  event(input: object): Promise<void>;
}

/** A command that notes each event, and answers with what a file says. */
const FAKE = `const { appendFileSync, readFileSync } = require('node:fs');
const input = readFileSync(0, 'utf8');
appendFileSync(__dirname + '/events', input + '\\n');
process.stdout.write(readFileSync(__dirname + '/answer', 'utf8'));
`;

describe('the plugin', () => {
  let folder: TestFolder;
  beforeEach(() => {
    folder = new TestFolder();
    folder.write('answer', '{}');
  });
  afterEach(() => folder.remove());

  async function load(flags = ''): Promise<Hooks> {
    const program = folder.write('fake.cjs', FAKE);
    const file = folder.write('sallyport.mjs', pluginOf(`"${process.execPath}" "${program}"${flags}`));
    const { Sallyport } = (await import(`${pathToFileURL(file).href}`)) as {
      Sallyport: (input: object) => Promise<Hooks>;
    };
    const get = async ({ path: { id } }: { path: { id: string } }): Promise<object> => ({
      data: id === 'unknown' ? undefined : { id, ...(id === 'child' && { parentID: 'root' }) },
    });
    return Sallyport({ client: { session: { get } }, directory: '/p' });
  }
  const events = (): readonly unknown[] => folder.log('events').map((line) => JSON.parse(line) as unknown);
  const base = { session: 'root', directory: '/p' };

  test('sends what the user types, and what OpenCode attaches', async () => {
    const hooks = await load();
    const parts = [
      { type: 'text', text: 'Fix it.' },
      { type: 'text', text: 'Text of a file', synthetic: true },
      { type: 'file', url: 'file:///p/a.ts' },
    ];
    await hooks['chat.message']({ sessionID: 'root' }, { parts });
    expect(events()).toEqual([
      { ...base, event: 'prompt', text: 'Fix it.' },
      { ...base, event: 'content', tool: 'attached-file', text: 'Text of a file' },
    ]);
  });

  test('the text of a command is not typed by the user, nor is what the model tells another agent', async () => {
    const hooks = await load();
    await hooks['command.execute.before']({ command: 'fix', arguments: 'it', sessionID: 'root' });
    await hooks['chat.message']({ sessionID: 'root' }, { parts: [{ type: 'text', text: 'Template: it' }] });
    await hooks['chat.message']({ sessionID: 'child' }, { parts: [{ type: 'text', text: 'Run it.' }] });
    expect(events()).toEqual([
      { ...base, event: 'prompt', text: '/fix it' },
      { ...base, event: 'content', tool: 'command', text: 'Template: it' },
    ]);
  });

  test('a call of another agent is one of the same session, and a denied one is not made', async () => {
    const hooks = await load();
    const call = { tool: 'bash', sessionID: 'child', callID: 'c1' };
    await hooks['tool.execute.before'](call, { args: { command: 'ls' } });
    expect(events()).toEqual([{ ...base, event: 'call', tool: 'bash', call: 'c1', args: { command: 'ls' } }]);
    folder.write('answer', '{"deny":"No."}');
    await expect(hooks['tool.execute.before'](call, { args: {} })).rejects.toThrow('No.');
  });

  test.each([
    { title: 'a text', given: { output: 'x' }, expected: { output: 'Careful.\n\nFramed.' } },
    {
      title: 'the content of a server',
      given: { content: [{ type: 'text', text: 'x' }] },
      expected: {
        content: [
          { type: 'text', text: 'Careful.' },
          { type: 'text', text: 'Framed.' },
        ],
      },
    },
  ])('$title is replaced', async ({ given, expected }) => {
    folder.write('answer', '{"context":"Careful.","result":"Framed."}');
    const hooks = await load();
    await hooks['tool.execute.after']({ tool: 't', sessionID: 'root', callID: 'c', args: {} }, given);
    expect(given).toEqual(expected);
  });

  test.each([
    { title: 'no answer', answer: '', flags: '', sessionID: 'root', isMade: false },
    { title: 'no answer, and calls should then pass', answer: '', flags: ' allow', sessionID: 'root', isMade: true },
    { title: 'a session that is not known', answer: '{}', flags: '', sessionID: 'unknown', isMade: false },
  ])('$title: the call is made is $isMade', async ({ answer, flags, sessionID, isMade }) => {
    folder.write('answer', answer);
    const made = (await load(flags))['tool.execute.before']({ tool: 'bash', sessionID, callID: 'c' }, { args: {} });
    expect(
      await made.then(
        () => true,
        () => false,
      ),
    ).toBe(isMade);
  });

  test('the end of a session is told', async () => {
    await (await load()).event({ event: { type: 'session.deleted', properties: { info: { id: 'root' } } } });
    expect(events()).toEqual([{ ...base, event: 'end' }]);
  });
});
