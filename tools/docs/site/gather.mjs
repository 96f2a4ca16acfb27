// Documents of the repository become pages of the site: links between them lead to pages, links to anything else to the
// repository, pictures come along. The documents themselves stay as a reader of the repository needs them.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, normalize, relative } from 'node:path';
import { contents } from '../../../site/contents.mjs';
import { fail, root } from '../../command.mjs';

const { repository } = JSON.parse(readFileSync(join(root, 'packages', 'core', 'package.json'), 'utf8'));
const REPOSITORY = `${repository.url.replace(/^git\+|\.git$/g, '')}/blob/main`;
/** A fence or code in a line, which is left alone, or a link: its words with what opens it, its target, its anchor. */
const LINK = /```[\s\S]*?```|(!?\[[^\]]*\]\()([^)\s#]*)(#[^)\s]*)?\)|`[^`\n]*`/g;
/** Marks by which tools find their places in the documents. */
const MARKS = /^<!-- [^>]* -->\n|<!-- (?:figure: \S+|end) -->/gm;

const pages = new Map(contents.flatMap(({ pages }) => pages.map(([, path, file]) => [file, path])));
const fileOf = (path) => (path.endsWith('/') ? `${path}index.md` : `${path}.md`);

/** Where a link of a document leads on the site; a picture is copied beside its page. */
function target(file, page, link, hash, pagesFolder) {
  const wanted = normalize(join(dirname(file), decodeURIComponent(link))).replace(/\/$/, '');
  const known = pages.get(wanted) ?? pages.get(`${wanted}/README.md`);
  if (known !== undefined) return `/${known}${hash}`;
  if (!existsSync(join(root, wanted))) fail(`${file} links to ${link}, which does not exist`, 'mend the link');
  if (!/\.(?:svg|png)$/.test(wanted)) return `${REPOSITORY}/${wanted}${hash}`;
  const copied = join(pagesFolder, 'pictures', wanted.replace(/^docs\//, ''));
  mkdirSync(dirname(copied), { recursive: true });
  cpSync(join(root, wanted), copied);
  const path = relative(dirname(join(pagesFolder, fileOf(page))), copied);
  return path.startsWith('.') ? path : `./${path}`;
}

function rewritten(file, page, pagesFolder) {
  const text = readFileSync(join(root, file), 'utf8').replace(MARKS, '');
  return text.replace(LINK, (whole, before, link, hash = '') =>
    before === undefined || link === '' || /^[a-z]+:/.test(link)
      ? whole
      : `${before}${target(file, page, link, hash, pagesFolder)})`,
  );
}

/**
 * Writes all pages into a folder that is made anew.
 * @param {string} pagesFolder
 * @returns {number} how many
 */
export function gather(pagesFolder) {
  rmSync(pagesFolder, { recursive: true, force: true });
  for (const [file, page] of pages) {
    const path = join(pagesFolder, fileOf(page));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `---\nsource: ${file}\n---\n${rewritten(file, page, pagesFolder)}`);
  }
  writeFileSync(join(pagesFolder, 'index.md'), rewritten('site/home.md', 'index', pagesFolder));
  mkdirSync(join(pagesFolder, 'public'));
  for (const name of ['docs/doors.svg', 'site/mark.svg'])
    cpSync(join(root, name), join(pagesFolder, 'public', basename(name)));
  return pages.size + 1;
}
