import { describe, expect, test } from 'vitest';
import { ChildPool, ServerChildren } from '../../src/upstream/children.ts';
import type { StartChild } from '../../src/upstream/process.ts';
import { signal } from './rig.ts';
import { request, texts } from './stdio-rig.ts';

/** A message of the protocol that needs no `initialize`. */
const META = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };

/** Servers of workspaces whose processes are only counted. They answer everything but `hold`. */
function rigWith(limits: { readonly max: number; readonly maxOfWorkspace: number }) {
  const pool = new ChildPool({ ...limits, idle: 1000, timer: { set: () => 0, clear: () => undefined } });
  const running: string[] = [];
  const servers = new Map<string, ServerChildren>();
  const serverOf = (workspace: string): ServerChildren => {
    const start =
      (name: string): StartChild =>
      async (events) => {
        running.push(name);
        const gone = (): void => {
          running.splice(running.indexOf(name), 1);
          events.onGone();
        };
        return {
          write(text) {
            const { id, method } = JSON.parse(text);
            const answer = JSON.stringify({ jsonrpc: '2.0', id, result: {} });
            if (method !== 'hold') queueMicrotask(() => events.onLine({ type: 'line', text: answer }));
            return true;
          },
          stop: async () => gone(),
          kill: gone,
        };
      };
    const known = servers.get(workspace);
    if (known !== undefined) return known;
    const options = { pool, workspace, isStateless: false, start: start(workspace), onLog: () => undefined };
    const made = new ServerChildren(options);
    servers.set(workspace, made);
    return made;
  };
  let id = 0;
  /** Asks for a principal of a workspace, such as `acme/ada`. Resolves with `done`, or with why it is refused. */
  const ask = async (who: string, method = 'server/discover'): Promise<string> => {
    const [workspace = '', principal = ''] = who.split('/');
    const options = { principal, signal: signal() };
    try {
      const answer = await serverOf(workspace).post(request(++id, method, { _meta: META }), options);
      if (method !== 'hold') await texts(answer);
      return 'done';
    } catch (cause) {
      return (cause as Error).message;
    }
  };
  return { ask, running, count: (workspace: string) => running.filter((each) => each === workspace).length };
}

describe('child processes of several workspaces', () => {
  test('no workspace has more than its limit, and others go on', async () => {
    const { ask, count } = rigWith({ max: 4, maxOfWorkspace: 2 });
    for (const who of ['acme/a', 'acme/b']) expect(await ask(who, 'hold')).toBe('done');
    expect(await ask('acme/c')).toContain('SALLYPORT_WORKSPACE_CHILDREN');
    expect(await ask('globex/a', 'hold')).toBe('done');
    expect([count('acme'), count('globex')]).toEqual([2, 1]);
  });

  test('a workspace at its limit ends its own idle process, and none of another', async () => {
    const { ask, running } = rigWith({ max: 4, maxOfWorkspace: 2 });
    for (const who of ['globex/a', 'acme/a', 'acme/b', 'acme/c']) expect(await ask(who)).toBe('done');
    expect(running).toEqual(['globex', 'acme', 'acme']);
  });

  test('if there is no room, the workspace with the most processes makes it', async () => {
    const { ask, count } = rigWith({ max: 4, maxOfWorkspace: 4 });
    for (const who of ['globex/a', 'acme/a', 'acme/b', 'acme/c', 'globex/b']) expect(await ask(who)).toBe('done');
    expect([count('acme'), count('globex')]).toEqual([2, 2]);
    // It takes none from a workspace that has fewer than itself.
    expect(await ask('acme/d')).toBe('done');
    expect([count('acme'), count('globex')]).toEqual([2, 2]);
  });

  // After [workspace/principal, whether it stays busy] in turn, what the last one is told, and who has a process.
  test.each([
    {
      title: 'a busy workspace takes no only process of another',
      payload: ['globex/a', 'acme/a hold', 'acme/b'],
      expected: ['SALLYPORT_MAX_CHILDREN', ['globex', 'acme']],
    },
    {
      title: 'a workspace without a process takes an idle one',
      payload: ['globex/a', 'globex/b', 'acme/a'],
      expected: ['done', ['globex', 'acme']],
    },
    {
      title: 'one that would have as many as the other takes an idle one too',
      payload: ['globex/a', 'acme/a hold', 'umbrella/a'],
      expected: ['done', ['acme', 'umbrella']],
    },
  ])('with two processes: $title', async ({ payload, expected: [said, left] }) => {
    const { ask, running } = rigWith({ max: 2, maxOfWorkspace: 2 });
    const told: string[] = [];
    for (const each of payload) {
      const [who = '', method] = each.split(' ');
      told.push(await ask(who, method));
    }
    expect(told.at(-1)).toContain(said);
    expect(running).toEqual(left);
  });

  test('the limits hold for requests that arrive at once', async () => {
    const { ask, running } = rigWith({ max: 3, maxOfWorkspace: 2 });
    const all = ['acme/a', 'acme/b', 'acme/c', 'globex/a', 'globex/b', 'globex/c'];
    const said = await Promise.all(all.map((who) => ask(who, 'hold')));
    expect(said.filter((each) => each === 'done')).toHaveLength(3);
    expect(running).toHaveLength(3);
  });
});
