// Checks files for hidden characters, length, absolute paths, unfinished work, and a registry in the lock file.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fail, readOptions, root } from '../command.mjs';

const MAX_LINES = 350;

readOptions(`
Checks the repository's files, tracked or new:
  code and configuration is plain ASCII, so that no file can hide an invisible character
  no file of code is longer than ${MAX_LINES} lines
  no file contains an absolute path of one machine, or a note that work is unfinished
  package-lock.json names no registry

  node tools/check/source.mjs
`);

process.chdir(root);
const code = /\.(?:[cm]?[jt]sx?|jsonl?|ya?ml|html|css|sh)$|^\.ci\/|^\.(?:editorconfig|gitignore|npmrc)$/;
const counted =
  /(?:^|\/)(?:src|test|tools|examples|bench|evals|mutations|fuzz|stress|conformance|generate|site|training)\/.*\.(?:[cm]?[jt]sx?|css)$/;
// What authors and judges wrote is data, in many languages.
const data = /^evals\/unseen\/(?:(?:coding-)?rounds\/.*\.jsonl?|answers\/.*|brief\.md)$/;
const machinePath = /(?<![\w./~-])\/(?:work|root|(?:home|Users)\/[\w.-]+)\//;
const unfinished = /\b(?:TO{1}DO|FIX{1}ME)\b/;

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => (code.test(file) || file.endsWith('.md')) && !data.test(file) && existsSync(file));

function* problemsOf(file) {
  const text = readFileSync(file, 'latin1').split('\n');
  if (file === 'package-lock.json') {
    for (const [index, line] of text.entries())
      if (/"resolved": "https?:/.test(line)) yield `${file}:${index + 1} names a registry`;
    return;
  }
  if (counted.test(file) && text.length - 1 > MAX_LINES)
    yield `${file} has ${text.length - 1} lines, more than ${MAX_LINES}`;
  for (const [index, line] of text.entries()) {
    if (!file.endsWith('.md') && /[^\t\x20-\x7e]/.test(line)) yield `${file}:${index + 1} is not plain ASCII`;
    if (machinePath.test(line)) yield `${file}:${index + 1} contains an absolute path of one machine`;
    if (unfinished.test(line)) yield `${file}:${index + 1} says that work is unfinished`;
  }
}

const problems = files.flatMap((file) => [...problemsOf(file)]);
if (!files.some((file) => counted.test(file))) problems.push('no source file was read: the check itself is broken');
if (!files.includes('package-lock.json')) problems.push('package-lock.json was not read');
for (const problem of problems) console.error(problem);
if (problems.length > 0)
  fail(
    `${problems.length} problems`,
    'write \\u escapes, split the file, use relative paths, finish the work or remove it',
  );
console.log(`OK - ${files.length} files are ASCII, short and finished`);
