import { spawn } from 'node:child_process';
import { chmodSync, chownSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { LauncherClient } from '../../src/upstream/launcher-client.ts';
import { eventually } from '../fixture/eventually.ts';
import { Installation, type Replica } from '../fixture/replica.ts';
import { connectAs, isAlive, NOTES, notesCommands, notesWorkspace, type Person, pidOf } from '../serve/notes.ts';
import { isRoot, NOBODY, processesOf, SocketFolder } from './rig.ts';

/** By which the child processes of these tests are known: others run the same server at the same time. */
const MARK = `launched-by-${process.pid}`;
const { notes: unmarked, shared } = notesCommands('team');
const notes = { ...unmarked, args: [NOTES, '', MARK] };
const COMMANDS = { notes, shared };

let installation: Installation;
let workspace: string;
let place: SocketFolder;

beforeAll(async () => {
  installation = await Installation.make();
  workspace = await notesWorkspace(installation, 'team', [...Object.keys(COMMANDS), 'absent']);
});
afterAll(() => installation?.drop());
beforeEach(() => {
  if (isRoot) place = new SocketFolder();
});
afterEach(() => place?.remove());

const start = (environment: Readonly<Record<string, string>> = {}): Promise<Replica> =>
  installation.start({ environment: { SALLYPORT_LAUNCHER: place.socket, ...environment } });

async function person(replica: Replica, principal: string, server = 'notes'): Promise<Person> {
  return connectAs(replica, await installation.key(workspace, principal), server);
}

async function statusFor(replica: Replica, server = 'notes'): Promise<[number, string]> {
  const answer = await fetch(`${replica.origin}/mcp/${server}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await installation.key(workspace, 'someone')}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
  });
  return [answer.status, await answer.text()];
}

describe.skipIf(!isRoot)('a gateway with a launcher of another user', () => {
  test('runs a process for each principal, none of which can read the environment of the gateway', async () => {
    await place.launch(COMMANDS);
    const replica = await start();
    const [ada, bob] = [await person(replica, 'ada'), await person(replica, 'bob')];
    await ada.call('put', { text: 'the salary of ada' });
    expect(await bob.call('get')).toContain('nothing');
    expect(await ada.call('get')).toContain('the salary of ada');
    expect(statSync(`/proc/${await pidOf(ada)}`).uid).toBe(NOBODY);
    // The test's own process is the gateway.
    expect(await ada.call('read', { path: `/proc/${process.pid}/environ` })).toContain('failed: EACCES');
    const own = await ada.call('read', { path: '/proc/self/environ' });
    expect(own).toContain('read: PATH=');
    expect(own).not.toContain('SALLYPORT');
  });

  test('shares a process that is declared stateless, until the declaration changes', async () => {
    const launcher = await place.launch(COMMANDS);
    const replica = await start();
    const [ada, bob] = [await person(replica, 'ada', 'shared'), await person(replica, 'bob', 'shared')];
    expect(await pidOf(ada)).toBe(await pidOf(bob));
    await launcher.stop();
    await place.launch({ shared: { ...COMMANDS.shared, stateless: false } });
    await eventually(async () => expect(await pidOf(ada)).toBeGreaterThan(0));
    expect(await pidOf(ada)).not.toBe(await pidOf(bob));
  });

  test('says that the launcher is gone, and works again when it is back', async () => {
    const launcher = await place.launch(COMMANDS);
    const replica = await start();
    const ada = await person(replica, 'ada');
    const pid = await pidOf(ada);
    await launcher.stop('SIGKILL');
    await eventually(() => expect(isAlive(pid)).toBe(false));
    expect(await statusFor(replica)).toEqual([503, expect.stringContaining('launcher of child processes cannot be')]);
    await place.launch(COMMANDS);
    expect(await pidOf(ada)).not.toBe(pid);
  });

  test('has no more child processes than the launcher may have', async () => {
    await place.launch(COMMANDS, { environment: { SALLYPORT_MAX_CHILDREN: '1' } });
    const replica = await start();
    await pidOf(await person(replica, 'ada'));
    expect(await statusFor(replica)).toEqual([503, expect.stringContaining('as many child processes')]);
  });

  test('refuses servers whose command the launcher does not have, or has for another workspace', async () => {
    await place.launch({ notes: { ...notes, workspaces: ['others'] } });
    const replica = await start();
    for (const server of ['absent', 'notes'])
      expect(await statusFor(replica, server)).toEqual([502, expect.stringContaining('for this workspace')]);
    // The launcher checks it too.
    const client = new LauncherClient(place.socket);
    const events = { onLine: () => undefined, onLog: () => undefined, onGone: () => undefined };
    const command = { name: 'notes', workspaces: ['team'], isStateless: false };
    await expect(client.start(command, 'team', events)).rejects.toMatchObject({ code: 'launcher' });
    await expect(client.start({ ...command, isStateless: true }, 'others', events)).rejects.toThrow('has changed');
  });

  test('asks the launcher of a workspace, and believes no other that claims it', async () => {
    const other = new SocketFolder();
    const replicaWith = (name: string): Promise<Replica> =>
      start({ SALLYPORT_LAUNCHER: `others=${other.socket},${name}=${place.socket}` });
    try {
      // It claims the commands of this workspace too.
      await other.launch({ notes: { ...notes, args: [NOTES, '', 'impostor'] } });
      await place.launch(COMMANDS);
      expect(await pidOf(await person(await replicaWith('team'), 'ada'))).toBeGreaterThan(0);
      expect(processesOf('impostor')).toEqual([]);
      await expect(person(await replicaWith('elsewhere'), 'ada')).rejects.toThrow();
      expect(processesOf('impostor')).toEqual([]);
    } finally {
      await other.remove();
    }
  });

  test('refuses a launcher of its own user, and a socket that others could replace', async () => {
    await place.launch(COMMANDS);
    const own = new LauncherClient(place.socket, NOBODY);
    await expect(own.describe('notes')).rejects.toThrow('same user as the gateway');
    chmodSync(place.folder, 0o757);
    await expect(new LauncherClient(place.socket).describe('notes')).rejects.toThrow('mode to 0750');
  });
});

describe.skipIf(!isRoot)('a launcher', () => {
  test('ends the children of a gateway that was killed', async () => {
    await place.launch(COMMANDS);
    const request = { launch: 1, command: 'notes', start: { workspace: 'team', stateless: false } };
    const program = `
      const socket = require('node:net').connect(${JSON.stringify(place.socket)});
      socket.write(${JSON.stringify(`${JSON.stringify(request)}\n`)});
      socket.on('data', (chunk) => process.stdout.write(chunk));`;
    const gateway = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
    await new Promise((resolve) => gateway.stdout.once('data', resolve));
    const children = (): string[] => processesOf(MARK);
    expect(children()).toHaveLength(1);
    gateway.kill('SIGKILL');
    await eventually(() => expect(children()).toEqual([]));
  });

  test('runs each command as its own user if it is root', async () => {
    chownSync(place.folder, 0, 0);
    const commands = { notes: { ...notes, user: 1001 }, other: { ...notes, workspaces: ['others'], user: 1002 } };
    const launcher = await place.launch(commands, { user: 0 });
    // The gateway of the test is root too, which is refused elsewhere.
    const client = new LauncherClient(place.socket, NOBODY);
    const command = await client.describe('notes');
    let isGone = false;
    const onGone = (): void => {
      isGone = true;
    };
    const events = { onLine: () => undefined, onLog: () => undefined, onGone };
    const child = await client.start(command as never, 'team', events);
    const [pid = ''] = processesOf(MARK);
    expect(statSync(`/proc/${pid}`)).toMatchObject({ uid: 1001, gid: 1001 });
    await child.stop();
    expect(isGone).toBe(true);
    expect(processesOf(MARK)).toEqual([]);
    await eventually(() => expect(launcher.output()).toContain('child process ended'));
  });

  test('lets only the owner and the group of its folder connect', async () => {
    const GATEWAY_GROUP = 1004;
    chownSync(place.folder, NOBODY, GATEWAY_GROUP);
    await place.launch(COMMANDS);
    const program = `
      const socket = require('node:net').connect(${JSON.stringify(place.socket)});
      socket.on('error', ({ code }) => console.log(code)).on('connect', () => console.log('connected') ?? socket.destroy());`;
    const reached = async (gid: number): Promise<string> => {
      const stranger = spawn(process.execPath, ['-e', program], { uid: 1003, gid });
      return String(await new Promise((resolve) => stranger.stdout.once('data', resolve)));
    };
    expect(await reached(GATEWAY_GROUP)).toBe('connected\n');
    expect(await reached(1003)).toBe('EACCES\n');
  });

  test.each([
    { title: 'a folder that everyone may enter', mode: 0o755, expected: 'set its mode to 0750' },
    { title: 'a folder of another user', owner: 1003, mode: 0o777, expected: "let the launcher's user own the folder" },
  ])('refuses $title', async ({ mode, owner = NOBODY, expected }) => {
    chmodSync(place.folder, mode);
    chownSync(place.folder, owner, owner);
    const launcher = await place.launch(COMMANDS);
    expect(launcher.process.exitCode).toBe(2);
    expect(launcher.output()).toContain(expected);
  });

  test('refuses a socket that another launcher uses', async () => {
    await place.launch(COMMANDS);
    const second = await place.launch(COMMANDS);
    expect(second.process.exitCode).toBe(2);
    expect(second.output()).toContain('stop it first');
  });

  test('starts nothing for what is not a request', async () => {
    await place.launch(COMMANDS);
    const lines = [
      '',
      'GET / HTTP/1.1',
      '{"launch":2,"command":"notes"}',
      '{"launch":1,"command":"toString"}',
      '{"launch":1,"command":"notes","start":{}}',
      'x'.repeat(70_000),
    ];
    for (const line of lines) {
      const socket = connect(place.socket);
      socket.on('error', () => undefined);
      socket.write(`${line}\n`);
      let answer = '';
      socket.on('data', (chunk) => {
        answer += String(chunk);
      });
      await new Promise((resolve) => socket.once('close', resolve));
      expect(['', '{"type":"refused","reason":"unknown"}\n'], line.slice(0, 40)).toContain(answer);
    }
    expect(processesOf(MARK)).toEqual([]);
  });
});
