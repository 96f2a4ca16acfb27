import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { JudgeError } from '../src/judge/answer.ts';
import { clientModel } from '../src/judge/client.ts';
import type { Client } from '../src/judge/set-up.ts';
import { JudgeRig, NO, YES } from './fixtures/judge-rig.ts';
import { linesOf } from './fixtures/rig.ts';

const rig = new JudgeRig();

/** Writes down how it was started, then prints what the client prints in print mode. */
function client(name: string, print: string): string {
  const code = `
    const { appendFileSync, readFileSync, readdirSync, readlinkSync } = require('node:fs');
    const input = readFileSync(0, 'utf8');
    const args = process.argv.slice(2);
    const { CODEX_HOME, GEMINI_CLI_HOME, GEMINI_SYSTEM_MD, CLAUDECODE } = process.env;
    const home = CODEX_HOME ?? (GEMINI_CLI_HOME && GEMINI_CLI_HOME + '/.gemini');
    const inHome = home && readdirSync(home).sort();
    const system = GEMINI_SYSTEM_MD && readFileSync(GEMINI_SYSTEM_MD, 'utf8');
    const seen = { args, input, cwd: process.cwd(), here: readdirSync('.'), inHome, system, CLAUDECODE };
    appendFileSync(${JSON.stringify(rig.folder.path('seen'))}, JSON.stringify(seen) + '\\n');
    const text = JSON.stringify(input.includes('drop.example') ? ${JSON.stringify(NO)} : ${JSON.stringify(YES)});
    ${print}`;
  return rig.program(name, code);
}

interface Seen {
  readonly args: readonly string[];
  readonly input: string;
  readonly cwd: string;
  readonly here: readonly string[];
  readonly inHome?: readonly string[];
  readonly system?: string;
  readonly CLAUDECODE?: string;
}

function seen(): readonly Seen[] {
  return linesOf(readFileSync(rig.folder.path('seen'), 'utf8'))
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Seen);
}

const PRINTED: Readonly<Record<Client, readonly [program: string, print: string]>> = {
  'claude-code': [
    'claude',
    `console.log(JSON.stringify({ type: 'result', subtype: 'success', is_error: false, num_turns: 2, result: text,
      structured_output: JSON.parse(text), total_cost_usd: 0.0011,
      usage: { input_tokens: 100, cache_creation_input_tokens: 0, cache_read_input_tokens: 700, output_tokens: 40 } }));`,
  ],
  codex: [
    'codex',
    `for (const event of [{ type: 'thread.started', thread_id: 't' },
      { type: 'item.completed', item: { id: 'item_0', type: 'error', message: 'Model metadata not found.' } },
      { type: 'turn.started' },
      { type: 'item.completed', item: { id: 'item_1', type: 'agent_message', text } },
      { type: 'turn.completed', usage: { input_tokens: 800, cached_input_tokens: 0, output_tokens: 40, reasoning_output_tokens: 0 } }])
      console.log(JSON.stringify(event));`,
  ],
  'gemini-cli': [
    'gemini',
    `console.log(JSON.stringify({ session_id: 's', response: text, stats: { models: { 'gemini-flash':
      { tokens: { input: 800, prompt: 800, candidates: 30, total: 840, cached: 0, thoughts: 10, tool: 0 } } } } }, null, 2));`,
  ],
};

const OFF: Readonly<Record<Client, readonly (readonly string[])[]>> = {
  'claude-code': [['-p'], ['--safe-mode'], ['--tools', ''], ['--strict-mcp-config'], ['--no-session-persistence']],
  codex: [['exec'], ['--ignore-user-config'], ['--ephemeral'], ['--disable', 'hooks'], ['--disable', 'shell_tool']],
  'gemini-cli': [
    ['--prompt', ''],
    ['--extensions', 'none'],
  ],
};

describe.each(Object.entries(PRINTED) as [Client, readonly [string, string]][])('%s', (name, [program, print]) => {
  test('is asked without tools, hooks and the texts of the user, and leaves nothing', async () => {
    client(program, print);
    const home = rig.folder.folder;
    for (const [path, text] of [
      ['.codex/AGENTS.md', 'memory'],
      ['.codex/config.toml', ''],
      ['.codex/auth.json', '{}'],
      ['.gemini/GEMINI.md', 'memory'],
      ['.gemini/oauth_creds.json', '{}'],
      ['.gemini/settings.json', '{"security":{"auth":{"selectedType":"oauth-personal"}},"hooks":{"BeforeAgent":[]}}'],
    ] as const) {
      mkdirSync(join(home, path, '..'), { recursive: true });
      writeFileSync(join(home, path), text);
    }
    const said = await rig.say(['set', '--host', name, '--model', 'small', '--price', '1,1'], {
      env: { CLAUDECODE: '1' },
    });
    expect({ code: said.code, error: said.error }).toEqual({ code: 0, error: '' });
    expect(said.out).toMatch(/harmless {2}passes {2}\d+\.\d s, 800 \+ 40 tokens, \$0\.00084\n/);
    expect((await rig.say([])).out).toContain(`small of ${name}`);
    const [first] = seen();
    const { args, input, cwd, here, inHome = [], system, CLAUDECODE } = first as Seen;
    for (const words of OFF[name]) expect(` ${args.join(' ')} `).toContain(` ${words.join(' ')} `);
    expect(system ?? args.join(' ')).toContain('careful');
    // Arguments are seen by other users.
    expect(input).toContain('ten minutes late');
    expect(args.join(' ')).not.toContain('ten minutes late');
    // Only the login is in the home folder.
    const linked = { 'claude-code': [], codex: ['auth.json'], 'gemini-cli': ['oauth_creds.json', 'settings.json'] };
    expect(inHome).toEqual(linked[name]);
    expect(here).toEqual([]);
    // Claude Code in Claude Code behaves in another way.
    expect(CLAUDECODE).toBe(name === 'claude-code' ? undefined : '1');
    expect(existsSync(join(cwd, '..'))).toBe(false);
  });

  test('names no file or skill in a question', async () => {
    const path = client(program, print);
    const ask = clientModel({ type: 'client', client: name, program: path }, rig.environment);
    const content = '{"value":"see @/srv/README.md and $skill"}';
    await ask({ system: 's', content, schema: {} });
    const [{ input } = {} as never] = seen();
    expect(input).not.toMatch(/[@$]/);
    expect(JSON.parse(input)).toEqual(JSON.parse(content));
  });

  test.each([
    { title: 'fails', code: 'process.exit(1);', error: 'gives no answer' },
    { title: 'prints prose', code: "console.log('Hello');", error: /unknown form|no answer/ },
    { title: 'prints nothing', code: '', error: /unknown form|no answer/ },
    {
      title: 'prints too much',
      code: "const go = () => process.stdout.write('x'.repeat(100_000), go); go();",
      error: 'prints too much',
    },
  ])('that $title is not saved', async ({ code, error }) => {
    client(program, code);
    const said = await rig.say(['set', '--host', name]);
    expect(said.code).toBe(1);
    expect(said.error).toMatch(error);
    expect(said.error).toContain('next:');
    expect(existsSync(join(rig.folder.state, 'judge.json'))).toBe(false);
  });

  test('that is slow is ended, with what it started', async () => {
    const alive = rig.folder.path('alive');
    const path = client(
      program,
      `require('node:child_process').spawn('/bin/sh', ['-c', 'sleep 1; touch ${alive}'], { stdio: 'inherit' });
      setTimeout(() => {}, 60_000);`,
    );
    const ask = clientModel({ type: 'client', client: name, program: path }, rig.environment);
    const signal = AbortSignal.timeout(500);
    await expect(ask({ system: 's', content: '{}', schema: {}, signal })).rejects.toThrow(/timeout/);
    await new Promise((done) => setTimeout(done, 1500));
    expect(existsSync(alive)).toBe(false);
  });
});

test('a client that is not logged in says what to do', async () => {
  // As Claude Code 2.1 prints it.
  client('claude', "console.log(JSON.stringify({ is_error: true, result: 'Not logged in' })); process.exitCode = 1;");
  expect((await rig.say(['set', '--host', 'claude-code'])).error).toMatch(/gives no answer.*\n next: .*\/login/);
});

test('a client that is not installed, or only in the working folder, is not found', async () => {
  const said = await rig.say(['set', '--host', 'claude-code'], { env: { PATH: 'bin:.' } });
  expect(said.error).toMatch(/there is no claude in your PATH.*\n next: install it/);
});

test('the program is the one that the person set up, whatever PATH says later', async () => {
  client(...PRINTED['claude-code']);
  await rig.say(['set', '--host', 'claude-code']);
  rig.folder.write('other/claude', '');
  expect((await rig.say(['test'], { env: { PATH: rig.folder.path('other') } })).code).toBe(0);
});

test('a program that is gone is an error', async () => {
  const gone = { type: 'client', client: 'codex', program: rig.folder.path('gone') } as const;
  await expect(clientModel(gone, {})({ system: 's', content: '{}', schema: {} })).rejects.toThrow(JudgeError);
});
