import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../fixture/eventually.ts';
import { Installation, type Replica } from '../fixture/replica.ts';
import { connectAs, isAlive, notesCommands, notesWorkspace, type Person, pidOf } from './notes.ts';

let installation: Installation;
let workspace: string;

const COMMANDS = notesCommands('team');

beforeAll(async () => {
  installation = await Installation.make();
  workspace = await notesWorkspace(installation, 'team', Object.keys(COMMANDS));
});
afterAll(() => installation?.drop());

function start(environment: Readonly<Record<string, string>> = {}): Promise<Replica> {
  return installation.start({
    environment: { SALLYPORT_CHILDREN: 'trusted', SALLYPORT_COMMANDS: JSON.stringify(COMMANDS), ...environment },
  });
}

async function person(replica: Replica, principal: string, server = 'notes'): Promise<Person> {
  return connectAs(replica, await installation.key(workspace, principal), server);
}

describe('two principals that use one server', () => {
  let replica: Replica;
  beforeAll(async () => {
    replica = await start();
  });

  test('do not see what the other one stored in it', async () => {
    const [ada, bob] = [await person(replica, 'ada'), await person(replica, 'bob')];
    await ada.call('put', { text: 'the salary of ada' });
    expect(await bob.call('get')).toContain('nothing');
    expect(await ada.call('get')).toContain('the salary of ada');
    // Another client of the same principal has the same process.
    expect(await (await person(replica, 'ada')).call('get')).toContain('the salary of ada');
  });

  test('do not get notifications that the other one caused', async () => {
    const [ada, bob] = [await person(replica, 'ada-listens'), await person(replica, 'bob-listens')];
    await ada.call('put', { text: 'a question of ada' });
    await bob.call('put', { text: 'a question of bob' });
    await eventually(() => {
      expect(ada.heard.join()).toContain('a question of ada');
      expect(bob.heard.join()).toContain('a question of bob');
    });
    expect(ada.heard.join()).not.toContain('bob');
    expect(bob.heard.join()).not.toContain('ada');
  });

  test('share one process if its command is declared stateless', async () => {
    const [ada, bob] = [await person(replica, 'ada', 'shared'), await person(replica, 'bob', 'shared')];
    expect(await pidOf(ada)).toBe(await pidOf(bob));
  });
});

test.each([
  { title: 'only for the principal whose own process offers it', server: 'notes', bob: 'nothing' },
  { title: 'for all principals that share the process', server: 'shared', bob: 'waits until a person accepts it' },
] as const)('a changed definition is held $title', async ({ server, bob: expected }) => {
  const replica = await start();
  const [ada, bob] = [await person(replica, 'ada-changes', server), await person(replica, 'bob-waits', server)];
  await ada.call('put', { text: 'describe: Reads all notes' });
  await ada.client.listTools();
  // Bob's own process lists what is pinned: that says nothing about Ada's.
  await bob.client.listTools();
  await eventually(async () => expect(await bob.call('get')).toContain(expected));
  expect(await ada.call('get')).toContain('waits until a person accepts it');
});

describe('the number of child processes', () => {
  test('is limited: the one that has been idle for longest is ended', async () => {
    const replica = await start({ SALLYPORT_MAX_CHILDREN: '2' });
    const [ada, bob] = [await person(replica, 'ada'), await person(replica, 'bob')];
    const pids = { ada: await pidOf(ada), bob: await pidOf(bob) };
    await ada.call('get');
    await pidOf(await person(replica, 'cid'));
    expect(isAlive(pids.bob)).toBe(false);
    expect(await pidOf(ada)).toBe(pids.ada);
    // A client that only listens does not start its process again. The next call does.
    expect(await pidOf(bob)).not.toBe(pids.bob);
  });

  test('is limited: a process in use is not ended, and the request is refused with 503', async () => {
    const replica = await start({ SALLYPORT_MAX_CHILDREN: '1' });
    const ada = await person(replica, 'ada');
    await ada.call('put', { text: 'still here' });
    const waiting = ada.call('wait', { milliseconds: 2000 });
    await eventually(() => expect(ada.heard.join()).toContain('Waiting'));
    const answer = await fetch(`${replica.origin}/mcp/notes`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await installation.key(workspace, 'bob')}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    });
    expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining('SALLYPORT_MAX_CHILDREN')]);
    expect(await waiting).toContain('waited');
    expect(await ada.call('get')).toContain('still here');
    expect(await (await person(replica, 'bob')).call('get')).toContain('nothing');
  });

  test('falls when processes are idle, and a client that listens keeps its own', async () => {
    const replica = await start({ SALLYPORT_CHILD_IDLE: '1' });
    const [ada, bob] = [await person(replica, 'ada'), await person(replica, 'bob')];
    const pids = { ada: await pidOf(ada), bob: await pidOf(bob) };
    await bob.client.close();
    await eventually(() => expect(isAlive(pids.bob)).toBe(false));
    expect(await pidOf(ada)).toBe(pids.ada);
  });
});
