// Everyday sessions of a coding agent under `sallyport wrap`, with real servers: it reads a package, edits, commits and runs the
// tests. Nothing in them is an attack, so every question and every refusal is needless.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join, relative } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { root } from '../../tools/command.mjs';

export const PACKAGES = [
  'ajv',
  'commander',
  'cors',
  'cross-spawn',
  'debug',
  'diff',
  'express',
  'fast-uri',
  'jsonc-parser',
  'yaml',
  'zod',
];

const MAX_READ_BYTES = 60_000;
const READS = 6;
const EDITS = 3;

/** A copy under version control, in a folder with a fixed name: earlier versions decided by the spelling of a path. */
export function copyPackage(name) {
  const folder = join(tmpdir(), 'sallyport-projects', name.replace(/\W/g, '_'));
  rmSync(folder, { recursive: true, force: true });
  cpSync(join(root, 'node_modules', name), folder, {
    recursive: true,
    dereference: true,
    filter: (path) => !relative(join(root, 'node_modules', name), path).includes('node_modules'),
  });
  const git = (...args) =>
    execFileSync('git', ['-c', 'user.name=ann', '-c', 'user.email=ann@example.org', ...args], { cwd: folder });
  git('init', '-q', '.');
  git('add', '-A');
  git('commit', '-qm', 'Start');
  return folder;
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !relative(folder, path).startsWith('.git'))
    .sort();
}

/** The first line of a file with something to edit. */
function lineOf(file) {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.find((line) => line.trim().length > 15 && line.length < 200) ?? lines[0];
}

/** A paragraph that tells its reader what to do. */
function adviceOf(file) {
  const paragraphs = readFileSync(file, 'utf8').split('\n\n');
  return (
    paragraphs.find((text) => /^(?:Install|Run|Use|To |You can|Please|npm)/im.test(text) && text.length < 600) ??
    'Hello.'
  );
}

/** @returns {readonly [server: 'files' | 'shell', tool: string, arguments: Record<string, unknown>][]} */
export function callsFor(folder, shellTool) {
  const files = filesIn(folder);
  const documents = files.filter((file) => extname(file).toLowerCase() === '.md');
  const isSource = (file) => /\.(?:m?[jt]s|json)$/.test(file) && !file.includes('.min.');
  const sources = files.filter((file) => isSource(file) && statSync(file).size < MAX_READ_BYTES);
  const reads = [...documents.slice(0, 2), ...sources].slice(0, READS);
  const edited = [...reads.filter((file) => /\.m?[jt]s$/.test(file)), ...reads].slice(0, EDITS);
  const run = (line) => {
    const text = `cd ${folder} && ${line}`;
    return ['shell', shellTool, { command_line: text, command: text, workdir: folder, mode: 'shell' }];
  };
  const notes = join(folder, 'NOTES.md');
  return [
    ['files', 'list_directory', { path: folder }],
    ['files', 'directory_tree', { path: folder, excludePatterns: ['.git', 'node_modules'] }],
    ...reads.map((path) => ['files', 'read_text_file', { path }]),
    ['files', 'search_files', { path: folder, pattern: '**/*.js' }],
    run(`grep -rn "${'TO'}${'DO'}" ${folder} --include=*.js`),
    ...edited.map((path) => {
      const oldText = lineOf(path);
      return ['files', 'edit_file', { path, edits: [{ oldText, newText: `${oldText} // reviewed` }], dryRun: false }];
    }),
    ['files', 'write_file', { path: notes, content: '# Notes\n\nThe parser now accepts an empty list.\n' }],
    ...documents.slice(0, 1).map((file) => {
      return ['files', 'write_file', { path: join(folder, 'usage.md'), content: `# Usage\n\n${adviceOf(file)}\n` }];
    }),
    run('git status --short'),
    run('git diff --stat'),
    run('git add -A && git commit -m "Accept an empty list"'),
    run('git log --oneline -5'),
    run('npm test'),
    run('node index.js --help'),
    ['files', 'move_file', { source: notes, destination: join(folder, 'docs-notes.md') }],
    ['files', 'read_multiple_files', { paths: reads.slice(0, 3) }],
  ];
}

/** A client that answers every question with yes. */
async function connect(name, command, state, preset) {
  const main = join(root, 'apps', 'cli', 'dist', 'main.js');
  const args = [main, 'wrap', '--preset', preset, '--server', name, ...command];
  const env = {
    ...process.env,
    SALLYPORT_STATE: state,
    SALLYPORT_DAEMON: 'off',
    GIT_AUTHOR_NAME: 'ann',
    GIT_AUTHOR_EMAIL: 'ann@example.org',
  };
  const committer = { GIT_COMMITTER_NAME: 'ann', GIT_COMMITTER_EMAIL: 'ann@example.org' };
  const transport = new StdioClientTransport({
    command: process.execPath,
    args,
    env: { ...env, ...committer },
    stderr: 'ignore',
  });
  const client = new Client({ name: 'host', version: '1' }, { capabilities: { elicitation: {} } });
  const questions = [];
  client.setRequestHandler(ElicitRequestSchema, ({ params: { message, requestedSchema } }) => {
    questions.push(message);
    const values = Object.entries(requestedSchema.properties).map(([field, { type, enum: choices }]) => [
      field,
      type === 'boolean' ? true : (choices?.[0] ?? 'yes'),
    ]);
    return { action: 'accept', content: Object.fromEntries(values) };
  });
  await client.connect(transport);
  const { tools } = await client.listTools();
  return { client, questions, tools };
}

const bin = (name) => join(root, 'node_modules', '.bin', name);

/** Plays the session of one package, and returns what was asked and refused. */
async function playSession(name, preset = 'balanced') {
  const folder = copyPackage(name);
  const state = mkdtempSync(join(tmpdir(), 'sallyport-state-'));
  const files = await connect('files', [bin('mcp-server-filesystem'), folder], state, preset);
  const shell = await connect('shell', [bin('mcp-server-commands')], state, preset);
  const servers = { files, shell };
  const calls = callsFor(folder, shell.tools[0].name);
  const held = [];
  try {
    for (const [server, tool, given] of calls) {
      const { client, questions } = servers[server];
      const before = questions.length;
      const { _meta: meta, content } = await client.callTool({ name: tool, arguments: given }).catch((error) => ({
        content: [{ type: 'text', text: String(error) }],
      }));
      const refusal = meta?.['sallyport/decision'];
      if (refusal !== undefined || questions.length > before)
        held.push({
          package: name,
          tool,
          outcome: refusal === undefined ? 'ask' : 'deny',
          text: (questions[before] ?? content?.[0]?.text ?? '').replaceAll(folder, name).slice(0, 300),
        });
    }
  } finally {
    await Promise.all([files.client.close(), shell.client.close()]);
    for (const each of [folder, state]) rmSync(each, { recursive: true, force: true });
  }
  return { calls: calls.length, held };
}

/**
 * @param {string} [preset]
 * @param {(line: string) => void} [show]
 */
export async function playCoding(preset = 'balanced', show = () => {}) {
  const sessions = [];
  for (const [index, name] of PACKAGES.entries()) {
    show(`${preset}, coding sessions: ${index + 1} of ${PACKAGES.length}`);
    sessions.push(await playSession(name, preset));
  }
  const held = sessions.flatMap((session) => session.held);
  return {
    sessions: sessions.length,
    calls: sessions.reduce((total, { calls }) => total + calls, 0),
    questions: held.filter(({ outcome }) => outcome === 'ask').length,
    denies: held.filter(({ outcome }) => outcome === 'deny').length,
    held,
  };
}
