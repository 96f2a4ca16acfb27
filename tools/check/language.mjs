// Finds the words and phrases that tools/check/language.json lists, in comments, strings, documents and identifiers.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { fail, root } from '../command.mjs';
import { readViews } from './prose.mjs';

const HELP = `
Checks names and English against the list in tools/check/language.json.

  node tools/check/language.mjs [paths...]
      prints each hit as "file:line  word  -> replacement", then the number of hits per folder; exit 1 on any hit
  --count       prints only the number of hits
  --rule NAME   uses one entry of the list, such as --rule limits
  --context     prints the text around each hit as well
  --rules       prints the list: name, replacement, example

Paths are files or folders. Without one it reads source, tests, tools, examples, evals, training programs, documents of
the root and READMEs of packages; not docs/, not corpora, not generated files. A line is exempt only through "exempt" in
the list, with a reason; an exemption that no longer applies is an error.
`;

const LIST = fileURLToPath(new URL('language.json', import.meta.url));
const SCOPES = ['comments', 'strings', 'errors', 'prose', 'identifiers'];
const WINDOW = 60;

/** A pattern of the list: a blank is any white space, so a phrase may continue on the next line. */
const compile = (pattern, flags) => new RegExp(pattern.replaceAll(' ', '\\s+'), flags);

/** `src/*` is one level, `src/**` is all of them. */
function globOf(glob) {
  const source = glob.replace(/[.+^$()|[\]\\]/g, '\\$&').replace(/\*\*\/|\*\*|\*|\{|\}|,/g, (sign) => {
    if (sign === '**/') return '(?:.*/)?';
    if (sign === '**') return '.*';
    return { '*': '[^/]*', '{': '(?:', '}': ')', ',': '|' }[sign];
  });
  return new RegExp(`^${source}$`);
}

function readList() {
  const { read, skip, rules, exempt } = JSON.parse(readFileSync(LIST, 'utf8'));
  for (const rule of rules)
    for (const key of ['name', 'pattern', 'replacement', 'example', 'scope'])
      if (rule[key] === undefined) fail(`${rule.name ?? 'a rule'} in language.json has no "${key}"`, 'add it', 2);
  return {
    read: read.map(globOf),
    skip: skip.map(globOf),
    rules: rules.map((rule) => ({
      ...rule,
      regex: compile(rule.pattern, rule.case ? 'g' : 'gi'),
      allow: (rule.allow ?? []).map((pattern) => compile(pattern, 'gi')),
    })),
    exempt: exempt.map((entry) => ({ ...entry, glob: globOf(entry.path), scopes: entry.scope ?? SCOPES, uses: 0 })),
  };
}

function filesOf(list, paths) {
  const within = paths.map((path) => relative(root, resolve(path)));
  const missing = within.find((path) => !existsSync(join(root, path)));
  if (missing !== undefined) fail(`${missing} does not exist`, 'name files or folders of the repository', 2);
  return execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => list.read.some((glob) => glob.test(file)) && !list.skip.some((glob) => glob.test(file)))
    .filter((file) => within.length === 0 || within.some((path) => path === '' || `${file}/`.startsWith(`${path}/`)))
    .filter((file) => existsSync(join(root, file)));
}

/** `createJudge` is "create Judge", `MOST_FILES` is "MOST FILES". */
const wordsOf = (name) => name.replace(/[_\-#$.]+/g, ' ').replace(/([a-z\d])([A-Z])/g, '$1 $2');

function isAllowed(rule, view, from, to) {
  const start = Math.max(0, from - WINDOW);
  const around = view.slice(start, to + WINDOW);
  return rule.allow.some((regex) =>
    [...around.matchAll(regex)].some(({ 0: match, index }) => {
      const at = start + index;
      return at <= from && at + match.length >= to;
    }),
  );
}

function* hitsInViews(views, rule) {
  for (const scope of rule.scope.filter((name) => name !== 'identifiers'))
    for (const { 0: match, index } of views[scope].matchAll(rule.regex))
      if (!isAllowed(rule, views[scope], index, index + match.length))
        yield { scope, at: index, word: match.replace(/[\s\0]+/g, ' ') };
  if (!rule.scope.includes('identifiers')) return;
  for (const { at, name, words } of views.identifiers)
    if (words.search(rule.regex) >= 0 && !rule.allow.some((regex) => words.search(regex) >= 0))
      yield { scope: 'identifiers', at, word: name };
}

function* hitsIn(file, list) {
  const text = readFileSync(join(root, file), 'utf8');
  const views = readViews(file, text);
  views.identifiers.push({ at: 0, name: basename(file) });
  for (const identifier of views.identifiers) identifier.words = wordsOf(identifier.name);
  const exempt = list.exempt.filter(({ glob }) => glob.test(file));
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  for (const rule of list.rules)
    for (const hit of hitsInViews(views, rule)) {
      const line = starts.findLastIndex((start) => start <= hit.at);
      const written = text.slice(starts[line], starts[line + 1]);
      const reason = exempt.find(
        ({ scopes, rule: name, line: quoted }) =>
          scopes.includes(hit.scope) && (name ?? rule.name) === rule.name && written.includes(quoted ?? ''),
      );
      if (reason) reason.uses++;
      else yield { file, line: line + 1, rule, written: written.trim(), ...hit };
    }
}

function countsByFolder(hits) {
  const counts = new Map();
  for (const { file } of hits) {
    const folder = file.split('/').slice(0, 3).join('/');
    const key = existsSync(join(root, folder)) && folder === file ? dirname(file) : folder;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts].sort((one, other) => other[1] - one[1]);
}

/**
 * The hits of the whole list, in the order of the files. `files` are read as they are, also those that the list does not read.
 * @param {{ paths?: string[], rule?: string, files?: string[] }} [options]
 */
export function findHits({ paths = [], rule, files = undefined } = {}) {
  const list = readList();
  if (rule !== undefined && !list.rules.some(({ name }) => name === rule))
    fail(`language.json has no rule ${rule}`, `use one of: ${list.rules.map(({ name }) => name).join(', ')}`, 2);
  list.rules = list.rules.filter(({ name }) => name === (rule ?? name));
  const chosen = files ?? filesOf(list, paths);
  if (chosen.length === 0) fail('no file was read', 'name files or folders that the check reads; see --help', 2);
  const hits = chosen.flatMap((file) => [...hitsIn(file, list)].sort((one, other) => one.at - other.at));
  const isWhole = files === undefined && paths.length === 0 && rule === undefined;
  const stale = isWhole ? list.exempt.filter(({ line, uses }) => line !== undefined && uses === 0) : [];
  return { hits, files: chosen.length, stale };
}

function main() {
  let parsed;
  try {
    const options = { help: { type: 'boolean' }, count: { type: 'boolean' }, rules: { type: 'boolean' } };
    options.context = { type: 'boolean' };
    options.rule = { type: 'string' };
    parsed = parseArgs({ options, allowPositionals: true });
  } catch (error) {
    fail(error.message, 'see --help', 2);
  }
  const { values, positionals } = parsed;
  if (values.help) return console.log(HELP.trim());
  if (values.rules)
    return readList().rules.forEach((rule) => {
      console.log(`${rule.name}: ${rule.replacement}\n    ${rule.example}`);
    });
  const { hits, files, stale } = findHits({ paths: positionals, rule: values.rule });
  if (values.count) return console.log(hits.length);
  const lines = hits.map(({ file, line, word, rule, written }) => {
    const found = `${file}:${line}  ${word}  -> ${rule.replacement}`;
    return values.context ? `${found}\n    ${written}` : found;
  });
  const counts = countsByFolder(hits).map(([folder, count]) => `${String(count).padStart(6)}  ${folder}`);
  if (hits.length > 0) console.log([...lines, '', ...counts].join('\n'));
  for (const { path, line } of stale)
    console.error(`language.json exempts "${line}" in ${path}, which has no hit there`);
  if (hits.length + stale.length === 0) return console.log(`OK - no listed word in ${files} files`);
  console.error(`error: ${hits.length} hits in ${files} files, ${stale.length} stale exemptions`);
  console.error(' next: use the replacement, or reword');
  // Not process.exit: a long list may still be on its way into a pipe.
  process.exitCode = 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
