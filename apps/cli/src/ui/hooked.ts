import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fieldsOf } from '@sallyport/core/adapter';
import type { Host } from '../hook/event.ts';
import { HOSTS } from '../hook/event.ts';
import { resultText } from '../hook/result-text.ts';
import { type KeptEvent, SessionLog } from '../hook/session-log.ts';
import { SessionTools, serverToolOf } from '../hook/tools/registry.ts';
import type { LogEntry } from '../log/entry.ts';
import { LogFiles } from '../log/log-files.ts';

/** A session of a coding agent that its hooks have kept. */
interface HookedSession {
  readonly id: string;
  readonly host: Host;
  readonly session: string;
  readonly at: number;
}

const MAX_LISTED = 50;
const MAX_NAME = 80;
/** How far apart a kept call and its entry in the log may be. */
const NEAR_MS = 2000;

/** Whose session a file holds, by its first line. */
function sessionIn(path: string): readonly [host: Host, session: string] | undefined {
  const [line = ''] = readFileSync(path, 'utf8').split('\n', 1);
  try {
    const [name, session] = JSON.parse(String(fieldsOf(JSON.parse(line)).of)) as readonly unknown[];
    const host = HOSTS.find((each) => each === name);
    return host === undefined || typeof session !== 'string' ? undefined : [host, session];
  } catch {
    // A file of an earlier version, or of another program.
    return undefined;
  }
}

const OUTCOMES: Readonly<Partial<Record<LogEntry['type'], 'ask' | 'deny'>>> = {
  asked: 'ask',
  held: 'ask',
  unanswered: 'ask',
  approved: 'ask',
  denied: 'deny',
  declined: 'deny',
};

/** The sessions of coding agents: what hooks have kept of them, with the decisions in the log. */
export class HookedSessions {
  readonly #state: string;

  constructor(stateFolder: string) {
    this.#state = stateFolder;
  }

  /** The newest ones, the last used first. */
  all(): readonly HookedSession[] {
    const folder = join(this.#state, 'sessions');
    if (!existsSync(folder)) return [];
    const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
    const dated = files.map((name) => ({ name, at: statSync(join(folder, name)).mtimeMs }));
    const newest = dated.toSorted((one, other) => other.at - one.at).slice(0, MAX_LISTED);
    return newest.flatMap(({ name, at }) => {
      const found = sessionIn(join(folder, name));
      return found === undefined ? [] : [{ id: name.replace('.jsonl', ''), host: found[0], session: found[1], at }];
    });
  }

  #eventsOf({ host, session }: HookedSession): readonly KeptEvent[] {
    return new SessionLog(this.#state, host, session).read().events;
  }

  /** The list, as the gateway gives it. */
  list(principal: string): readonly unknown[] {
    return this.all().map((each) => {
      const events = this.#eventsOf(each);
      const prompt = events.find(({ event }) => event.type === 'prompt')?.event;
      const words = prompt?.type === 'prompt' ? prompt.text.trim().replaceAll(/\s+/g, ' ').slice(0, MAX_NAME) : '';
      return {
        ...{ id: each.id, principal, name: `${each.host}${words === '' ? '' : `: ${words.toWellFormed()}`}` },
        from: new Date(events[0]?.at ?? each.at).toISOString(),
        to: new Date(each.at).toISOString(),
        entries: events.filter(({ event }) => event.type !== 'end').length,
      };
    });
  }

  /** A session as JSON lines; undefined if there is none with this id. */
  read(id: string): string | undefined {
    const found = this.all().find((each) => each.id === id);
    if (found === undefined) return undefined;
    const tools = new SessionTools(found.host, () => ({}));
    const log = new LogFiles(this.#state).entries().filter(({ server }) => server === found.host);
    const entries = this.#eventsOf(found).flatMap((kept, index) =>
      shown(kept, `entry ${index}`, { found, tools, log }),
    );
    const end = { type: 'end', entries: entries.length, isCut: false };
    return [...entries, end].map((each) => `${JSON.stringify(each)}\n`).join('');
  }
}

interface Shown {
  readonly found: HookedSession;
  readonly tools: SessionTools;
  readonly log: readonly LogEntry[];
}

function shown({ event, at }: KeptEvent, id: string, { found, tools, log }: Shown): readonly unknown[] {
  switch (event.type) {
    case 'files':
    case 'refused':
      return [];
    case 'prompt':
      return [{ type: 'text', id, origin: 'user', text: event.text, spans: [] }];
    case 'result': {
      const text = resultText(event.result);
      return [{ type: 'text', id, origin: 'external', name: event.tool, text, spans: [] }];
    }
    case 'call': {
      tools.declare(event.tool, event.arguments);
      const logged = log.findLast(
        ({ tool, time, type }) =>
          tool === event.tool && type !== 'flagged' && Math.abs(Date.parse(time) - at) < NEAR_MS,
      );
      const { server = found.host, tool } = serverToolOf(event.tool) ?? { tool: event.tool };
      const effect = tools.get(event.tool)?.effect;
      return [
        {
          ...{ type: 'call', id, server: server || found.host, tool, ...(effect && { effect }) },
          arguments: JSON.stringify(event.arguments ?? {}),
          outcome: logged === undefined ? 'allow' : (OUTCOMES[logged.type] ?? logged.judged ?? 'allow'),
          rule: logged?.rule ?? 'made',
          reason: logged?.reason ?? 'There was no question about this call.',
          values: [],
        },
      ];
    }
    case 'end':
      return [];
  }
}
