// Builds the static files of the console into dist/pages, unless they are newer than everything they are made of.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const root = fileURLToPath(new URL('.', import.meta.url));

function newestIn(path) {
  if (!statSync(path).isDirectory()) return statSync(path).mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => newestIn(join(path, name))));
}

/** @returns {boolean} whether they are up to date */
function isBuilt() {
  const page = join(root, 'dist', 'pages', 'index.html');
  if (!existsSync(page)) return false;
  const sources = ['src', 'public', 'index.html', 'package.json', 'build.mjs'].map((name) => join(root, name));
  return statSync(page).mtimeMs > Math.max(...sources.map(newestIn));
}

// Tests build it too, and React is half as large without its checks for developers.
process.env.NODE_ENV = 'production';
if (!isBuilt())
  await build({
    root,
    configFile: false,
    base: '/console/',
    logLevel: 'error',
    build: {
      outDir: 'dist/pages',
      target: 'es2022',
      license: { fileName: 'licenses.md' },
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
    },
  });
