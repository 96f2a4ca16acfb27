// What no reader should have to look for: characters that hide, files too long to hold in the head, paths of one
// machine, work left undone, and a lock file that names a registry.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fail, readOptions, root } from '../command.mjs';

readOptions(`
Checks the repository's files, tracked or new:
  code and configuration is plain ASCII (a file about invisible characters must not be able to hide one)
  no file of source, tests, tools, benches or examples is longer than 400 lines
  no file names a path of one machine, and none says that work is left undone
  package-lock.json names no registry

  node tools/check/source.mjs
`);

process.chdir(root);
const lines = 400;
const code = /\.(?:[cm]?[jt]sx?|jsonl?|ya?ml|html|css|sh)$|^\.ci\/|^\.(?:editorconfig|gitignore|npmrc)$/;
const counted =
  /(?:^|\/)(?:src|test|tools|examples|bench|mutations|fuzz|stress|conformance|generate|training)\/.*\.(?:[cm]?[jt]sx?|css)$/;
const machinePath = /(?<![\w./~-])\/(?:work|root|(?:home|Users)\/[\w.-]+)\//;
const undone = /\b(?:TO{1}DO|FIX{1}ME)\b/;

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => (code.test(file) || file.endsWith('.md')) && existsSync(file));

function* problemsOf(file) {
  const text = readFileSync(file, 'latin1').split('\n');
  if (file === 'package-lock.json') {
    for (const [index, line] of text.entries())
      if (/"resolved": "https?:/.test(line)) yield `${file}:${index + 1} names a registry`;
    return;
  }
  if (counted.test(file) && text.length - 1 > lines) yield `${file} has ${text.length - 1} lines, more than ${lines}`;
  for (const [index, line] of text.entries()) {
    if (!file.endsWith('.md') && /[^\t\x20-\x7e]/.test(line)) yield `${file}:${index + 1} is not plain ASCII`;
    if (machinePath.test(line)) yield `${file}:${index + 1} names a path of one machine`;
    if (undone.test(line)) yield `${file}:${index + 1} says that work is left undone`;
  }
}

const problems = files.flatMap((file) => [...problemsOf(file)]);
if (!files.some((file) => counted.test(file))) problems.push('no source file was read: the check itself is broken');
if (!files.includes('package-lock.json')) problems.push('package-lock.json was not read');
for (const problem of problems) console.error(problem);
if (problems.length > 0)
  fail(
    `${problems.length} problems`,
    'write \\u escapes, split the file, use relative paths, finish the work or drop it',
  );
console.log(`OK - ${files.length} files are plain, short and finished`);
