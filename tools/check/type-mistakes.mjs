// Counts the mistakes in protect() that do not compile, with the message that a developer reads.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, readOptions, root, runNode } from '../command.mjs';
import { writeFigures, writeResult } from '../figures.mjs';

const options = readOptions(
  `
Compiles adapters/*/test/protect.types.ts without its @ts-expect-error comments. Each comment says what is wrong and, after a
colon, what the compiler must say about the next line. Exit 1 when a mistake compiles, when its message does not say that, or when
anything else does not compile. Writes evals/results/type-mistakes.json and the figure adapters.type_mistakes_caught.

  npm run check -- type-mistakes          all adapters; the figure is that of adapters/ai-sdk
  npm run check -- type-mistakes --check  write nothing
`,
  { check: { type: 'boolean' } },
);

const COMMENT = /^\s*\/\/ @ts-expect-error (?<what>[^:]+): (?<says>.+)$/;
const DIAGNOSTIC = /^(?<file>\S+)\((?<line>\d+),\d+\): error (?<message>TS\d+: .+)$/;
const adapters = readdirSync(join(root, 'adapters')).filter((name) => existsSync(testOf(name)));

function testOf(adapter) {
  return join(root, 'adapters', adapter, 'test', 'protect.types.ts');
}

function mistakesOf(adapter) {
  const lines = readFileSync(testOf(adapter), 'utf8').split('\n');
  return lines.flatMap((line, index) => {
    const { what, says } = COMMENT.exec(line)?.groups ?? {};
    if (what === undefined && line.trim().startsWith('// @ts-expect-error'))
      fail(`adapters/${adapter}/test/protect.types.ts:${index + 1} does not say what the compiler says`, 'add it', 2);
    return what === undefined ? [] : [{ adapter, what, says, line: index + 2, code: lines[index + 1]?.trim() }];
  });
}

/** Compiles copies of the files in another folder of the same adapter, so that relative imports still work. */
async function compile() {
  const folders = adapters.map((adapter) => mkdtempSync(join(root, 'adapters', adapter, '.mistakes-')));
  process.on('exit', () => folders.forEach((folder) => void rmSync(folder, { recursive: true, force: true })));
  const files = folders.map((folder) => join(folder, 'protect.types.ts'));
  for (const [index, adapter] of adapters.entries())
    writeFileSync(files[index], readFileSync(testOf(adapter), 'utf8').replaceAll('@ts-expect-error', ''));
  const project = join(folders[0], 'tsconfig.json');
  writeFileSync(project, JSON.stringify({ extends: join(root, 'tsconfig.test.json'), files, include: [] }));
  const { output } = await runNode('node_modules/typescript/bin/tsc', ['-p', project, '--pretty', 'false']);
  return diagnosticsIn(output);
}

function diagnosticsIn(output) {
  const found = [];
  for (const line of output.split('\n').filter((each) => each.trim() !== '')) {
    const { file, line: at, message } = DIAGNOSTIC.exec(line)?.groups ?? {};
    if (file !== undefined) found.push({ adapter: file.split('/')[1], line: Number(at), message });
    else if (found.length > 0) found.at(-1).message += `\n${line}`;
    else fail(`the compiler failed:\n${output}`, 'run npm run typecheck', 2);
  }
  return found;
}

const diagnostics = await compile();
const mistakes = adapters.flatMap(mistakesOf);
if (mistakes.length === 0) fail('no mistake was read: the check itself is broken', 'check the comments', 2);
const results = mistakes.map(({ line, ...mistake }) => {
  const messages = diagnostics.filter((each) => each.adapter === mistake.adapter && each.line === line);
  const message = messages.map((each) => each.message).join('\n');
  return { ...mistake, message, isCaught: message.includes(mistake.says) };
});
const isExpected = ({ adapter, line }) => mistakes.some((each) => each.adapter === adapter && each.line === line);
const problems = [
  ...results
    .filter(({ isCaught }) => !isCaught)
    .map(({ adapter, what, code, message }) => `${adapter}: ${what}\n  ${code}\n  ${message || 'it compiles'}`),
  ...diagnostics
    .filter((each) => !isExpected(each))
    .map(({ adapter, line, message }) => `${adapter}: line ${line} must compile: ${message}`),
];
for (const problem of problems) console.error(problem);
if (problems.length > 0) fail(`${problems.length} problems`, 'correct the types, or what the comment expects');
const inAiSdk = results.filter(({ adapter }) => adapter === 'ai-sdk');
if (!options.check) {
  const command = 'npm run check -- type-mistakes';
  const { version } = JSON.parse(readFileSync(join(root, 'node_modules', 'typescript', 'package.json'), 'utf8'));
  writeResult('type-mistakes', {
    command,
    typescript: version,
    mistakes: results.map(({ isCaught: _, ...each }) => each),
  });
  const unit = 'mistakes in adapters/ai-sdk';
  writeFigures({ 'adapters.type_mistakes_caught': { value: inAiSdk.length, unit, command } });
}
console.log(
  `OK - ${results.length} mistakes do not compile, and the message names each; ${inAiSdk.length} of them in ai-sdk`,
);
