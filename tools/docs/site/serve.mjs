// Serves a folder as a static host does, on a free port of this machine.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname } from 'node:path';
import { served } from './links.mjs';

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.woff2': 'font/woff2',
};

/** The file of a request; undefined for an invalid address and for one that leads out of the folder. */
function requested(folder, url) {
  try {
    return served(folder, new URL(url, 'http://localhost').pathname);
  } catch {
    // An invalid address is answered like a missing file.
    return undefined;
  }
}

/**
 * @param {string} folder
 * @returns {Promise<{ origin: string, close: () => void }>}
 */
export async function serve(folder) {
  const server = createServer((request, response) => {
    const file = requested(folder, request.url ?? '/');
    response.writeHead(file === undefined ? 404 : 200, { 'content-type': TYPES[extname(file ?? '')] ?? 'text/plain' });
    response.end(file === undefined ? 'nothing here' : readFileSync(file));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { origin: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}
