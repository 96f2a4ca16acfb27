// The commands of pages that install a package: run as written in an empty folder, with our packed packages and the tested
// versions of frameworks. Then each package of ours that the command names is imported: it needs no other package.
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fail, root, run } from '../command.mjs';
import { isOurs, publicPackages, withNeeded } from './packages.mjs';

const BLOCK = /<!-- run: tools\/release\/consumers-docs\.mjs -->\n```sh\nnpm install ([^\n#]+?)\s*(?:#[^\n]*)?\n```/g;

/** The pages with such a command. */
const PAGES = [
  'docs/sandbox.md',
  'contrib/react/README.md',
  'packages/testing/README.md',
  'adapters/ai-sdk/README.md',
  'adapters/anthropic/README.md',
  'adapters/google-genai/README.md',
  'adapters/langchain/README.md',
  'adapters/mastra/README.md',
  'adapters/mcp/README.md',
  'adapters/openai-agents/README.md',
  'adapters/openai/README.md',
];

/** The words after `npm install` in the one command of a page. */
function wordsOf(page) {
  const [block, another] = readFileSync(join(root, page), 'utf8').matchAll(BLOCK);
  if (block === undefined || another !== undefined)
    fail(`${page} must have one command under <!-- run: tools/release/consumers-docs.mjs -->`, 'see BLOCK there', 2);
  return block[1].split(/\s+/);
}

/**
 * One consumer for each page.
 * @param {object} given
 * @param {readonly string[]} given.tarballs of all public packages
 * @param {Record<string, string>} given.locked the tested versions of frameworks
 * @param {(name: string) => string} given.createProject makes an empty folder
 * @param {(project: string, words: readonly string[]) => Promise<{ code: number, output: string }>} given.runNpm
 */
export function documentConsumers({ tarballs, locked, createProject, runNpm }) {
  const tarballOf = ({ name, manifest }) => {
    const file = `${name.replace('@', '').replace('/', '-')}-${manifest.version}.tgz`;
    return tarballs.find((each) => basename(each) === file) ?? fail(`there is no ${file}`, 'pack all packages', 2);
  };
  const specifier = (word) => (locked[word] === undefined ? word : `${word}@${locked[word]}`);

  async function check(page) {
    const words = wordsOf(page);
    const ours = words.filter(isOurs);
    const others = words.filter((word) => !isOurs(word)).map(specifier);
    const project = createProject(page.replaceAll(/\W/g, '-'));
    const installed = await runNpm(project, [...others, ...[...withNeeded(ours)].map(tarballOf)]);
    if (installed.code !== 0) return installed;
    const program = ours.map((name) => `await import('${name}');`).join('\n');
    return run(process.execPath, ['--input-type=module', '--eval', program], { cwd: project, timeout: 60_000 });
  }

  const unknown = PAGES.flatMap(wordsOf).find(
    (word) => isOurs(word) && !publicPackages().some(({ name }) => name === word),
  );
  if (unknown !== undefined) fail(`a page installs ${unknown}, which is not published`, 'correct the page', 2);
  return PAGES.map((page) => ({ name: `page ${page}`, check: () => check(page) }));
}
