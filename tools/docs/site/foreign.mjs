// Finds resources that a page loads from other hosts. The site must have none, so that no third party learns who reads it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const TAG = /<([a-z][\w-]*)((?:\s+[^\s"'<>=/]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>]+))?|\s|\/)*)>/gi;
const ATTRIBUTE = /([^\s"'<>=/]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+))/g;
const LOADING = new Set(['src', 'srcset', 'poster', 'data', 'background']);
const ABSOLUTE = /^\s*(?:[a-z][a-z0-9+.-]*:)?\/\//i;
const STYLE_URL = /url\(\s*["']?\s*(?:[a-z][a-z0-9+.-]*:)?\/\/|@import\s+["'](?:[a-z][a-z0-9+.-]*:)?\/\//i;

/** As a browser reads an address: backslashes are slashes, line breaks are dropped. */
const decode = (text) =>
  text
    .replaceAll('&amp;', '&')
    .replace(/[\t\n\r]/g, '')
    .replaceAll('\\', '/');

function isLoaded(tag, name, attributes) {
  if (LOADING.has(name)) return true;
  // A canonical link is not loaded; `use` and `image` are SVG elements.
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
 * @returns {string[]} one line per resource of another host
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
      return [...loaded, ...(STYLE_URL.test(isStyled) ? ['a resource in its styles'] : [])].map(
        (what) => `${name} loads ${what.slice(0, 200)} from elsewhere`,
      );
    });
}
