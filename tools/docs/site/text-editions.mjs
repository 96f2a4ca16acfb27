// The site for programs: llms.txt lists its pages, llms-full.txt has all of them, and each page has a Markdown file.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { contents } from '../../../site/contents.mjs';

const SUMMARY =
  'The boundary between what an LLM agent reads and what it may do: a TypeScript library with adapters, a wrapper and a gateway for MCP servers, and a command line.';
const textFile = (path) => (path.endsWith('/') ? `${path}index.md` : `${path}.md`);

/** The first sentence of the first paragraph, without links and emphasis. */
function firstSentence(text) {
  const paragraph = text
    .replace(/^#.*\n/, '')
    .split(/\n\s*\n/)
    .find((block) => /^[\p{L}*`[]/u.test(block.trim()));
  const plain = (paragraph ?? '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\*\*|\s+/g, (sign) => (sign === '**' ? '' : ' '));
  return /^.*?[.!?](?= |$)/.exec(plain.trim())?.[0] ?? plain.trim();
}

/**
 * @param {string} folder where files are served as they are
 * @param {Map<string, string>} texts of pages by their paths
 */
export function writeTextEditions(folder, texts) {
  const lists = contents.map(({ title, pages }) => {
    const lines = pages.map(
      ([name, path]) => `- [${name}](/${textFile(path)}): ${firstSentence(texts.get(path) ?? '')}`,
    );
    return `## ${title}\n\n${lines.join('\n')}\n`;
  });
  writeFileSync(join(folder, 'llms.txt'), `# Sallyport\n\n> ${SUMMARY}\n\n${lists.join('\n')}`);
  const listed = contents.flatMap(({ pages }) => pages.map(([, path]) => path));
  const whole = listed.map((path) => `<!-- /${path} -->\n\n${(texts.get(path) ?? '').trim()}\n`);
  writeFileSync(join(folder, 'llms-full.txt'), whole.join('\n'));
  for (const path of listed) {
    const file = join(folder, textFile(path));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, (texts.get(path) ?? '').trimStart());
  }
}
