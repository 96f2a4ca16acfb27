// What a page loads by itself from elsewhere: a reader of the documents is seen by nobody else.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const TAG = /<([a-z][\w-]*)((?:\s+[^\s"'<>=/]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>]+))?|\s|\/)*)>/gi;
const ATTRIBUTE = /([^\s"'<>=/]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+))/g;
const LOADING = new Set(['src', 'srcset', 'poster', 'data', 'background']);
const ABSOLUTE = /^\s*(?:[a-z][a-z0-9+.-]*:)?\/\//i;
const STYLE_URL = /url\(\s*["']?\s*(?:[a-z][a-z0-9+.-]*:)?\/\/|@import\s+["'](?:[a-z][a-z0-9+.-]*:)?\/\//i;

/** Backslashes are slashes to a browser, and line breaks in an address are nothing. */
const decode = (text) =>
  text
    .replaceAll('&amp;', '&')
    .replace(/[\t\n\r]/g, '')
    .replaceAll('\\', '/');

function isLoaded(tag, name, attributes) {
  if (LOADING.has(name)) return true;
  // Where this page belongs is said, not loaded; use and image are of SVG.
  const isNamed = name === 'href' || name === 'xlink:href';
  return (
    isNamed && (['use', 'image', 'base'].includes(tag) || (tag === 'link' && attributes.get('rel') !== 'canonical'))
  );
}

function* addressesIn(html) {
  for (const [, tag, rest] of html.matchAll(TAG)) {
    const attributes = new Map(
      [...rest.matchAll(ATTRIBUTE)].map(([, name, ...values]) => [
        name.toLowerCase(),
        values.find((one) => one !== undefined),
      ]),
    );
    for (const [name, value] of attributes) {
      const candidates = name === 'srcset' ? value.split(',') : [value];
      if (isLoaded(tag.toLowerCase(), name, attributes)) yield* candidates.map(decode);
    }
  }
}

/**
 * @param {string} folder of the built site
 * @returns {string[]} what is loaded from elsewhere, a line each
 */
export function foreignIn(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((name) => /\.(?:html|css|svg)$/.test(name))
    .flatMap((name) => {
      const text = readFileSync(join(folder, name), 'utf8');
      const isStyled = name.endsWith('.css')
        ? text
        : (text.match(/<style[\s\S]*?<\/style>|\sstyle="[^"]*"/gi) ?? []).join('\n');
      const loaded = name.endsWith('.css') ? [] : [...addressesIn(text)].filter((address) => ABSOLUTE.test(address));
      return [...loaded, ...(STYLE_URL.test(isStyled) ? ['something in its styles'] : [])].map(
        (what) => `${name} loads ${what.slice(0, 200)} from elsewhere`,
      );
    });
}
