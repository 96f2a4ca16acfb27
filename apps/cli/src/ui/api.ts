import { ApprovalFiles } from '../approve/approval-files.ts';
import { LastingApprovals } from '../approve/lasting-approvals.ts';
import { LogFiles } from '../log/log-files.ts';
import { PinFiles } from '../pins/pin-files.ts';
import { answeredCalls, lastingCalls, revokeLasting } from './answered.ts';
import { answerHeldCall, heldCalls } from './held-calls.ts';
import { acceptDefinition, heldDefinitions } from './held-definitions.ts';
import { HookedSessions } from './hooked.ts';
import { liveEvents } from './live.ts';
import { jsonResponse, streamResponse, UiProblem } from './problem.ts';
import type { ReplayedConversations } from './replayed.ts';

export interface UiApiOptions {
  readonly stateFolder: string;
  /** The name of the user. */
  readonly principal: string;
  readonly replayed: ReplayedConversations;
  /** Aborted when the pages are closed. */
  readonly ended: AbortSignal;
}

interface UiRoute {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below `/api/v1`. */
  readonly path: RegExp;
  /** Returns the body of the answer. `name` is the variable part of the path. */
  readonly handle: (name: string, body: unknown, query: URLSearchParams) => unknown;
}

const BASE = '/api/v1';
const MAX_BODY = 100_000;

async function bodyOf(request: Request): Promise<unknown> {
  if (request.method !== 'POST') return undefined;
  const text = await request.text();
  try {
    if (text.length <= MAX_BODY) return JSON.parse(text);
  } catch {
    // Answered below.
  }
  throw new UiProblem(400, 'The body is not valid JSON, or too long.', 'Load the page again.');
}

function nameIn(text: string | undefined): string {
  try {
    return decodeURIComponent(text ?? '');
  } catch {
    throw new UiProblem(404, 'This path does not exist.', 'Load the page again.');
  }
}

/** The part of the gateway's API that makes sense for one person. It reads and writes the files of the local state. */
export function createUiApi(options: UiApiOptions): (request: Request) => Promise<Response> {
  const { stateFolder, principal, replayed, ended } = options;
  const approvals = new ApprovalFiles(stateFolder);
  const pins = new PinFiles(stateFolder);
  const lasting = new LastingApprovals(stateFolder);
  const log = new LogFiles(stateFolder);
  const hooked = new HookedSessions(stateFolder);
  const me = { principal, workspace: 'this-machine', scopes: ['approve:own', 'pins'], isLocal: true };
  const waiting = [
    ['approvals', () => approvals.pending().map(({ id }) => id)],
    ['conversations', () => hooked.all().map(({ id, at }) => `${id} ${at}`)],
    ['pins', () => pins.all().flatMap(({ server, held }) => held.map((each) => JSON.stringify([server, each])))],
  ] as const;
  const routes: readonly UiRoute[] = [
    { method: 'GET', path: /^\/me$/, handle: () => me },
    {
      method: 'GET',
      path: /^\/approvals$/,
      handle: (_, __, query) =>
        query.get('state') === 'answered' ? answeredCalls(log.entries(), principal) : heldCalls(approvals, principal),
    },
    { method: 'GET', path: /^\/approvals\/lasting$/, handle: () => lastingCalls(lasting, principal) },
    { method: 'DELETE', path: /^\/approvals\/lasting\/([^/]+)$/, handle: (id) => revokeLasting(lasting, id) },
    { method: 'POST', path: /^\/approvals\/([^/]+)$/, handle: (id, body) => answerHeldCall(approvals, id, body) },
    { method: 'GET', path: /^\/pins$/, handle: () => heldDefinitions(pins) },
    { method: 'POST', path: /^\/pins\/([^/]+)\/accept$/, handle: (name, body) => acceptDefinition(pins, name, body) },
    {
      method: 'GET',
      path: /^\/conversations$/,
      handle: () => ({ conversations: [...hooked.list(principal), ...replayed.list()] }),
    },
    {
      method: 'GET',
      path: /^\/conversations\/([^/]+)$/,
      handle: (id) => streamResponse(new Blob([hooked.read(id) ?? replayed.read(id)]).stream(), 'application/jsonl'),
    },
    {
      method: 'GET',
      path: /^\/events$/,
      handle: () => streamResponse(liveEvents(waiting, ended), 'text/event-stream'),
    },
  ];
  return async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    const path = pathname.slice(BASE.length);
    const route = routes.find((each) => each.method === request.method && each.path.test(path));
    if (route === undefined)
      throw new UiProblem(404, 'This is not part of sallyport ui.', 'The gateway has it: sallyport gateway --help');
    const answer = route.handle(nameIn(route.path.exec(path)?.[1]), await bodyOf(request), searchParams);
    return answer instanceof Response ? answer : jsonResponse(answer);
  };
}
