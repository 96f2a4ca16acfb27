import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

/** Where the console is served. Its pages know this path. */
export const CONSOLE_PATH = '/console';

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

type ConsoleFiles = ReadonlyMap<string, ConsoleFile>;

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

/** All files below a folder, by their path in it; none if there is no such folder. */
function filesIn(folder: string): ConsoleFiles {
  if (!existsSync(folder)) return new Map();
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile());
  return new Map(
    entries.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const name = relative(folder, path).replaceAll(sep, '/');
      return [name, fileAt(path, name)];
    }),
  );
}

function acceptsGzip({ headers }: Request): boolean {
  return /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(headers.get('accept-encoding') ?? '');
}

function responseOf(request: Request, { plain, zipped, headers }: ConsoleFile): Response {
  const isZipped = acceptsGzip(request);
  const body = isZipped ? zipped : plain;
  const length = { 'content-length': String(body.byteLength), ...(isZipped ? { 'content-encoding': 'gzip' } : {}) };
  return new Response(request.method === 'HEAD' ? null : body, { headers: { ...headers, ...length } });
}

function problem(status: number, error: string, next: string, headers = {}): Response {
  return Response.json({ error, next }, { status, headers: { ...HEADERS, ...headers } });
}

// Both the compiled file and the pages are in dist.
const BUILT = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? '../dist/pages' : './pages', import.meta.url));

/**
 * Answers requests for the pages of the console. Every path that is not a file is a view of the page, which reads its own address.
 * The files are read once, at the first request.
 *
 * @param folder of the built pages. @default those of this package
 * @example
 * ```ts
 * const answer = createConsole();
 * app.all('/console/*', ({ req }) => answer(req.raw));
 * ```
 */
export function createConsole(folder: string = BUILT): (request: Request) => Response {
  let files: ConsoleFiles | undefined;
  return (request) => {
    const { method } = request;
    const { pathname } = new URL(request.url);
    if (method !== 'GET' && method !== 'HEAD')
      return problem(405, 'The console is only read.', 'Use GET or HEAD.', { allow: 'GET, HEAD' });
    if (pathname === CONSOLE_PATH)
      return new Response(null, { status: 308, headers: { ...HEADERS, location: `${CONSOLE_PATH}/` } });
    files ??= filesIn(folder);
    const page = files.get(PAGE);
    if (page === undefined) return problem(404, 'The console is not built.', 'Run npm run build, and start again.');
    const name = pathname.slice(CONSOLE_PATH.length + 1);
    const file = files.get(name);
    // A browser that has an older page asks for files of that version.
    if (file === undefined && name.startsWith(HASHED))
      return problem(404, 'This file is of another version.', 'Load the page again.');
    return responseOf(request, file ?? page);
  };
}
