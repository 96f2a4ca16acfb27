import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ROOT, SALLYPORT, TestFolder } from './fixtures/rig.ts';

// A fixed folder: earlier versions decided by the spelling of a path.
const PROJECT = join(tmpdir(), 'sallyport-coding-session', 'basket');

const FILES: Readonly<Record<string, string>> = {
  'README.md': `# basket

Adds up the prices of a basket.

## Install

Run \`npm install basket\`, then import it:

    import { total } from 'basket';

## Contribute

Please run \`npm test\` before you open a pull request, and add a line to CHANGELOG.md.
See lib/total.js for the rounding, and write to maintainers@basket.example about security problems.
`,
  'CHANGELOG.md': '# Changelog\n\n## 1.1.0\n\n- You can pass a list of prices.\n',
  'package.json': `${JSON.stringify(
    { name: 'basket', version: '1.1.0', type: 'module', main: 'index.js', scripts: { test: 'node --test' } },
    null,
    2,
  )}\n`,
  'index.js': "export { total } from './lib/total.js';\n",
  'lib/total.js':
    '// Fails for an empty list.\nexport function total(prices) {\n  return prices.reduce((sum, price) => sum + price);\n}\n',
  'test/total.test.js': `import { equal } from 'node:assert';
import { test } from 'node:test';
import { total } from '../index.js';

test('adds up', () => equal(total([1, 2]), 3));
`,
};

const GIT = {
  GIT_AUTHOR_NAME: 'ann',
  GIT_AUTHOR_EMAIL: 'ann@example.org',
  GIT_COMMITTER_NAME: 'ann',
  GIT_COMMITTER_EMAIL: 'ann@example.org',
};

let testFolder: TestFolder;
beforeEach(() => {
  testFolder = new TestFolder();
  rmSync(PROJECT, { recursive: true, force: true });
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(PROJECT, name)), { recursive: true });
    writeFileSync(join(PROJECT, name), text);
  }
  const git = (...args: string[]) => execFileSync('git', args, { cwd: PROJECT, env: { ...process.env, ...GIT } });
  git('init', '-q', '.');
  git('add', '-A');
  git('commit', '-qm', 'Start');
});
afterEach(() => {
  testFolder.remove();
  rmSync(PROJECT, { recursive: true, force: true });
});

interface Server {
  readonly client: Client;
  /** What a person was asked. */
  readonly questions: string[];
}

async function connect(name: string, script: string, ...words: string[]): Promise<Server> {
  const questions: string[] = [];
  const client = new Client({ name: 'test', version: '1.0.0' }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    questions.push(params.message);
    return { action: 'accept', content: { approve: true } };
  });
  const [command = '', ...args] = [...SALLYPORT, 'wrap', '--server', name, process.execPath, join(ROOT, script)];
  const env = { ...process.env, ...testFolder.environment, ...GIT } as Record<string, string>;
  await client.connect(new StdioClientTransport({ command, args: [...args, ...words], env, stderr: 'ignore' }));
  await client.listTools();
  return { client, questions };
}

type Call = readonly [server: 'files' | 'shell', tool: string, given: Readonly<Record<string, unknown>>];

const at = (name: string): string => join(PROJECT, name);
const run = (line: string): Call => ['shell', 'run_command', { command: line, workdir: PROJECT }];
const edit = (name: string, oldText: string, newText: string): Call => [
  'files',
  'edit_file',
  { path: at(name), edits: [{ oldText, newText }], dryRun: false },
];

const SESSION: readonly Call[] = [
  ['files', 'list_directory', { path: PROJECT }],
  ['files', 'directory_tree', { path: PROJECT, excludePatterns: ['.git'] }],
  ...['README.md', 'package.json', 'index.js', 'lib/total.js'].map(
    (name): Call => ['files', 'read_text_file', { path: at(name) }],
  ),
  ['files', 'search_files', { path: PROJECT, pattern: '**/*.js' }],
  run('grep -rn "Fails" . --include=*.js'),
  run('npm test'),
  edit('lib/total.js', '// Fails for an empty list.\n', ''),
  edit('lib/total.js', '(sum, price) => sum + price)', '(sum, price) => sum + price, 0)'),
  ['files', 'read_text_file', { path: at('test/total.test.js') }],
  edit(
    'test/total.test.js',
    "test('adds up', () => equal(total([1, 2]), 3));",
    "test('adds up', () => equal(total([1, 2]), 3));\ntest('an empty list is 0', () => equal(total([]), 0));",
  ),
  ['files', 'write_file', { path: at('NOTES.md'), content: '# Notes\n\nThe total of an empty list is 0.\n' }],
  // What the README tells its readers, in a file of the project.
  ['files', 'write_file', { path: at('usage.md'), content: '# Usage\n\nRun `npm install basket`, then import it.\n' }],
  edit(
    'CHANGELOG.md',
    '- You can pass a list of prices.',
    '- You can pass a list of prices.\n- The total of an empty list is 0.',
  ),
  run('npm test'),
  run('git status --short'),
  run('git diff --stat'),
  run('git add -A && git commit -m "Accept an empty list"'),
  run('git log --oneline -5'),
  ['files', 'create_directory', { path: at('docs') }],
  ['files', 'move_file', { source: at('NOTES.md'), destination: at('docs/notes.md') }],
  ['files', 'read_multiple_files', { paths: [at('CHANGELOG.md'), at('docs/notes.md')] }],
];

test('an everyday session of a coding agent is neither asked about nor refused', async () => {
  const files = await connect('files', 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js', PROJECT);
  const shell = await connect('shell', 'node_modules/mcp-server-commands/build/index.js');
  const servers = { files, shell };
  const held: unknown[] = [];
  const failed: unknown[] = [];
  for (const [server, name, given] of SESSION) {
    const { client, questions } = servers[server];
    const result = await client.callTool({ name, arguments: given });
    const decision = result._meta?.['sallyport/decision'];
    if (decision !== undefined || questions.length > 0) held.push([name, given, decision, ...questions.splice(0)]);
    else if (result.isError === true) failed.push([name, given, result.content]);
  }
  await Promise.all([files.client.close(), shell.client.close()]);
  expect(held).toEqual([]);
  expect(failed).toEqual([]);
  expect(readFileSync(at('docs/notes.md'), 'utf8')).toContain('an empty list is 0');
  const log = execFileSync('git', ['log', '--oneline'], { cwd: PROJECT, encoding: 'utf8' });
  expect(log).toContain('Accept an empty list');
});
