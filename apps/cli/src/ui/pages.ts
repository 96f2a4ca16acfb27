import { CONSOLE_PATH, createConsole } from '@sallyport/console';
import type { Entrance } from './entrance.ts';
import { jsonResponse, problemResponse, textPage, UiProblem } from './problem.ts';

export interface PagesOptions {
  /** The only host that requests may name. */
  readonly host: () => string;
  readonly entrance: Entrance;
  readonly api: (request: Request) => Promise<Response>;
  /** Called when the link was used twice, or the user has left. */
  readonly onClosed: (reason: 'twice' | 'left') => void;
}

const AGAIN = 'Run sallyport ui again in a terminal, and open the new link.';

/** The pages and their API, for one browser. */
export function createPages(options: PagesOptions): (request: Request) => Promise<Response> {
  const { host, entrance, api, onClosed } = options;
  const pages = createConsole();

  function enter(code: string): Response {
    const wasClosed = entrance.isClosed;
    const cookie = entrance.enter(code);
    if (cookie !== undefined)
      return new Response(null, {
        status: 303,
        headers: { location: `${CONSOLE_PATH}/`, 'set-cookie': cookie, 'cache-control': 'no-store' },
      });
    if (entrance.isClosed && !wasClosed) onClosed('twice');
    return textPage(403, `This link does not work, or was used before. ${AGAIN}`);
  }

  function leave(): Response {
    entrance.close();
    onClosed('left');
    return jsonResponse(undefined);
  }

  /** The pages for every browser: they hold nothing until their API answers. */
  function openAnswer(request: Request, { pathname, searchParams }: URL): Response | undefined {
    if (pathname === '/enter') return enter(searchParams.get('code') ?? '');
    if (pathname === '/login') return textPage(200, AGAIN);
    if (pathname === '/') return new Response(null, { status: 303, headers: { location: `${CONSOLE_PATH}/` } });
    return pathname.startsWith(CONSOLE_PATH) ? pages(request) : undefined;
  }

  async function answer(request: Request): Promise<Response> {
    const url = new URL(request.url);
    // A page can have its own name point to this machine, and send requests here.
    if (url.host !== host()) throw new UiProblem(421, 'This is not the address of these pages.', AGAIN);
    const open = openAnswer(request, url);
    if (open !== undefined) return open;
    if (!entrance.isInside(request)) throw new UiProblem(401, 'This browser was not let in.', AGAIN);
    if (request.method !== 'GET' && request.headers.get('origin') !== url.origin)
      throw new UiProblem(403, 'The request does not come from these pages.', AGAIN);
    return url.pathname === '/logout' && request.method === 'POST' ? leave() : api(request);
  }

  return async (request) => {
    try {
      return await answer(request);
    } catch (cause) {
      if (cause instanceof UiProblem) return problemResponse(cause);
      const next = 'Look at the state folder, or report this: the command prints its version with --version.';
      return problemResponse(new UiProblem(500, cause instanceof Error ? cause.message : String(cause), next));
    }
  };
}
