import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join, relative, sep } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Context, Hono } from 'hono';
import { type AdmittedEnvironment, problem } from './auth/admission.ts';

/** Where the console is served. */
export const CONSOLE = '/console';

const PACKAGE = '@sallyport/console';
const PAGE = 'index.html';
/** The build names these files after their content, so that a name never gets other content. */
const HASHED = 'assets/';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Nothing from elsewhere, nothing inline, no page around it, and no text becomes a script. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const HEADERS = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

interface ConsoleFile {
  readonly plain: Uint8Array<ArrayBuffer>;
  readonly zipped: Uint8Array<ArrayBuffer>;
  readonly headers: Readonly<Record<string, string>>;
}

export type ConsoleFiles = ReadonlyMap<string, ConsoleFile>;

function fileAt(path: string, name: string): ConsoleFile {
  const plain = new Uint8Array(readFileSync(path));
  const headers = {
    ...HEADERS,
    vary: 'accept-encoding',
    'content-type': TYPES[extname(name)] ?? 'application/octet-stream',
    'cache-control': name.startsWith(HASHED) ? 'public, max-age=31536000, immutable' : 'no-store',
  };
  return { plain, zipped: new Uint8Array(gzipSync(plain)), headers };
}

/** All files below a folder, by their path in it. */
export function readConsole(folder: string): ConsoleFiles {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile());
  return new Map(
    entries.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const name = relative(folder, path).replaceAll(sep, '/');
      return [name, fileAt(path, name)];
    }),
  );
}

let installed: ConsoleFiles | undefined;

/** The files of the installed package, which are read once; none if it is not installed. */
function installedConsole(): ConsoleFiles {
  if (installed !== undefined) return installed;
  try {
    const manifest = createRequire(import.meta.url).resolve(`${PACKAGE}/package.json`);
    installed = readConsole(join(dirname(manifest), 'dist'));
  } catch {
    installed = new Map();
  }
  return installed;
}

function acceptsGzip(context: Context): boolean {
  return /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(context.req.header('accept-encoding') ?? '');
}

function responseOf(context: Context, { plain, zipped, headers }: ConsoleFile): Response {
  const isZipped = acceptsGzip(context);
  const body = isZipped ? zipped : plain;
  const length = { 'content-length': String(body.byteLength), ...(isZipped ? { 'content-encoding': 'gzip' } : {}) };
  return new Response(context.req.method === 'HEAD' ? null : body, { headers: { ...headers, ...length } });
}

/** The pages for people. Every path that is not a file is a view of the page, which reads its own address. */
export function consoleRoutes(files: ConsoleFiles = installedConsole()): Hono<AdmittedEnvironment> {
  const routes = new Hono<AdmittedEnvironment>();
  routes.all('*', (context) => {
    const { method, path } = context.req;
    if (method !== 'GET' && method !== 'HEAD')
      return problem(405, 'The console is only read.', 'Use GET or HEAD.', { allow: 'GET, HEAD' });
    const page = files.get(PAGE);
    if (page === undefined)
      return problem(
        404,
        'The console is not installed.',
        `Run npm install ${PACKAGE} where the gateway is installed.`,
      );
    if (path === CONSOLE) return new Response(null, { status: 308, headers: { ...HEADERS, location: `${CONSOLE}/` } });
    const name = path.slice(CONSOLE.length + 1);
    const file = files.get(name);
    // A browser that has an older page asks for files of that version.
    if (file === undefined && name.startsWith(HASHED))
      return problem(404, 'This file is of another version.', 'Load the page again.', HEADERS);
    return responseOf(context, file ?? page);
  });
  return routes;
}
