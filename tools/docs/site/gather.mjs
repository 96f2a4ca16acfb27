// Turns the repository's documents into pages of the site: links between documents become links between pages, other links
// lead to the repository, pictures are copied. The documents themselves are not changed.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, normalize, relative } from 'node:path';
import { contents } from '../../../site/contents.mjs';
import { fail, root } from '../../command.mjs';
import { writeTextEditions } from './text-editions.mjs';

const { repository } = JSON.parse(readFileSync(join(root, 'packages', 'core', 'package.json'), 'utf8'));
const REPOSITORY = `${repository.url.replace(/^git\+|\.git$/g, '')}/blob/main`;
/** A fence or inline code, which is kept, or a link: its text with the opening bracket, its target, its anchor. */
const LINK = /```[\s\S]*?```|(!?\[[^\]]*\]\()([^)\s#]*)(#[^)\s]*)?\)|`[^`\n]*`/g;
/** Comments that mark generated parts of the documents. */
const MARKS = /^<!-- [^>]* -->\n|<!-- (?:figure: \S+|end) -->/gm;
const FRONT_MATTER = /^---\n([\s\S]*?)---\n/;

const HOME = ['site/home.md', 'index'];
const pages = new Map(contents.flatMap(({ pages }) => pages.map(([, path, file]) => [file, path])));
const fileOf = (path) => (path.endsWith('/') ? `${path}index.md` : `${path}.md`);

/** The target of a document's link on the site; a picture that the page shows is copied next to it. */
function target(file, page, { link, hash, isShown }, pagesFolder) {
  const wanted = normalize(join(dirname(file), decodeURIComponent(link))).replace(/\/$/, '');
  const linked = pages.get(wanted) ?? pages.get(`${wanted}/README.md`);
  if (linked !== undefined) return `/${linked}${hash}`;
  if (!existsSync(join(root, wanted))) fail(`${file} links to ${link}, which does not exist`, 'correct the link');
  if (!isShown) return `${REPOSITORY}/${wanted}${hash}`;
  const copied = join(pagesFolder, 'pictures', wanted.replace(/^docs\//, ''));
  mkdirSync(dirname(copied), { recursive: true });
  cpSync(join(root, wanted), copied);
  const path = relative(dirname(join(pagesFolder, fileOf(page))), copied);
  return path.startsWith('.') ? path : `./${path}`;
}

function rewritten(file, page, pagesFolder) {
  const text = readFileSync(join(root, file), 'utf8').replace(MARKS, '');
  return text.replace(LINK, (whole, before, link, hash = '') =>
    before === undefined || link === '' || /^(?:[a-z]+:|\/)/.test(link)
      ? whole
      : `${before}${target(file, page, { link, hash, isShown: before.startsWith('!') }, pagesFolder)})`,
  );
}

function refuseMissing() {
  const missing = [...pages.keys()].filter((file) => !existsSync(join(root, file)));
  if (missing.length > 0)
    fail(
      `site/contents.mjs lists documents that do not exist:\n  ${missing.join('\n  ')}`,
      'write them, or remove their lines from site/contents.mjs',
    );
}

/**
 * Writes all pages into a folder, which is emptied first.
 * @param {string} pagesFolder
 * @returns {number} the number of pages
 */
export function gather(pagesFolder) {
  refuseMissing();
  rmSync(pagesFolder, { recursive: true, force: true });
  const texts = new Map();
  for (const [file, page] of [...pages, HOME]) {
    const path = join(pagesFolder, fileOf(page));
    const text = rewritten(file, page, pagesFolder);
    const [whole = '', settings = ''] = FRONT_MATTER.exec(text) ?? [];
    const body = text.slice(whole.length);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `---\nsource: ${file}\n${settings}---\n${body}`);
    texts.set(page, body);
  }
  const publicFolder = join(pagesFolder, 'public');
  mkdirSync(publicFolder);
  for (const name of ['docs/doors.svg', 'site/mark.svg']) cpSync(join(root, name), join(publicFolder, basename(name)));
  writeTextEditions(publicFolder, texts);
  return texts.size;
}
