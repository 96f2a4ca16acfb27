// The size of the built pages as a browser receives them.
import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const pages = new URL('../dist/pages/', import.meta.url);
const zipped = (file) => gzipSync(readFileSync(new URL(file, pages))).length;

/** @returns {string} the page that loads all others */
export function firstPage() {
  return readFileSync(new URL('index.html', pages), 'utf8');
}

/** @returns {number} bytes of what the page loads at once, with its largest view, gzipped */
export function firstLoad() {
  const first = [...firstPage().matchAll(/(?:src|href)="\/console\/(assets\/[^"]+)"/g)].map(([, file]) => file);
  if (first.length < 2) throw new Error('index.html loads no script or no style');
  const others = readdirSync(new URL('assets/', pages))
    .map((name) => `assets/${name}`)
    .filter((file) => !first.includes(file));
  return first.reduce((total, file) => total + zipped(file), 0) + Math.max(...others.map(zipped));
}
