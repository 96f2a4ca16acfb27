// Checks the links of a built site: each must lead to an existing page, anchor or file.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

const HREF = /<(?:a|link|img|script|source)\b[^>]*?\s(?:href|src)="([^"]*)"/g;
const ID = /\sid="([^"]*)"/g;
const decode = (text) => text.replaceAll('&amp;', '&').replaceAll('&#39;', "'").replaceAll('&quot;', '"');

/** The file that a static host serves for a path; undefined for a path outside of the folder. */
export function served(folder, path) {
  const plain = join(resolve(folder), decodeURIComponent(path));
  if (!`${plain}${sep}`.startsWith(`${resolve(folder)}${sep}`)) return undefined;
  const candidates = path.endsWith('/')
    ? [join(plain, 'index.html')]
    : [plain, `${plain}.html`, join(plain, 'index.html')];
  return candidates.find((file) => existsSync(file) && statSync(file).isFile());
}

/**
 * @param {string} folder of the built site
 * @returns {{ pages: string[], checked: number, dead: string[] }}
 */
export function checkLinks(folder) {
  const pages = readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith('.html') && name !== '404.html')
    .sort();
  const anchors = new Map();
  const anchorsOf = (file) => {
    if (!anchors.has(file))
      anchors.set(file, new Set([...readFileSync(file, 'utf8').matchAll(ID)].map(([, id]) => decode(id))));
    return anchors.get(file);
  };
  const dead = [];
  let checked = 0;
  for (const page of pages) {
    const html = readFileSync(join(folder, page), 'utf8');
    for (const [, raw] of html.matchAll(HREF)) {
      const href = decode(raw);
      if (href === '' || /^(?:[a-z]+:|\/\/)/.test(href)) continue;
      checked++;
      const [path, hash] = href.split('#');
      const absolute = path.startsWith('/') ? path : `/${join(dirname(page), path)}`;
      const file = path === '' ? join(folder, page) : served(folder, absolute.replace(/\?.*$/, ''));
      if (file === undefined) dead.push(`${page} links to ${href}, which does not exist`);
      else if (hash && !anchorsOf(file).has(decodeURIComponent(hash)))
        dead.push(`${page} links to ${href}, but ${relative(folder, file)} has no such anchor`);
    }
  }
  return { pages, checked, dead };
}
