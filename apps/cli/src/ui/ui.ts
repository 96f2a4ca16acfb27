import { randomBytes } from 'node:crypto';
import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { type Io, requirePerson } from '../io.ts';
import { Session } from '../replay/session.ts';
import { LoggedTools } from '../replay/tools.ts';
import { stateFolder } from '../state.ts';
import { CommandError, countOf } from '../terminal-text.ts';
import { hasBrowser, openBrowser } from '../wrap/login/browser.ts';
import { createUiApi } from './api.ts';
import { Entrance } from './entrance.ts';
import { createPages } from './pages.ts';
import { ReplayedConversations } from './replayed.ts';
import { serveLocally } from './server.ts';

const HELP = `
Opens pages in your browser: held calls to answer, calls that are always approved, changed definitions to accept, and recorded
conversations, with an arrow from each argument of a call to the words that it comes from. Nothing leaves this machine, and there
is no account: the link lets one browser in, once. If it is opened a second time, the pages are closed.

The pages have an address of their own under localhost, so that no other program that you open in your browser gets their cookie.

Examples:
  sallyport ui                  what waits for you
  sallyport ui chat.jsonl       the same, with recorded conversations (formats: sallyport replay --help)

Stop it with Ctrl+C. Starting it needs a terminal, because an agent with a shell could answer for you otherwise.

Environment:
  SALLYPORT_BROWSER  the program that opens the page; none: only print the link

Exit codes: 0 ended, 1 the port is taken, a file cannot be read, the link was opened twice, or not run in a terminal, 2 wrong usage.`;

interface UiOptions {
  readonly port: number;
}

function portNumber(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new InvalidArgumentError('Expected a port: a number from 0 to 65535.');
  return port;
}

function userName(): string {
  try {
    return userInfo().username || 'you';
  } catch {
    // A user without an entry, as in some containers.
    return 'you';
  }
}

async function replay(files: readonly string[], io: Io, principal: string): Promise<ReplayedConversations> {
  const replayed = new ReplayedConversations(principal);
  const onPlayed = (played: Parameters<ReplayedConversations['add']>[0]): void => replayed.add(played);
  const options = { tools: new LoggedTools(), preset: 'balanced', format: undefined, maxDrawn: 0, onPlayed } as const;
  const session = new Session(options);
  for (const file of files)
    for await (const { bytes } of session.play(resolve(io.cwd, file), file))
      if (io.isTerminal && files.length > 0) io.stderr(`\rreading ${file}: ${(bytes / 1e6).toFixed(1)} MB`);
  if (files.length > 0 && io.isTerminal) io.stderr('\n');
  if (replayed.leftOut > 0)
    io.stderr(`${countOf(replayed.leftOut, 'conversation')} left out: there is too much to show.\n`);
  return replayed;
}

async function run(io: Io, files: readonly string[], { port }: UiOptions, signal?: AbortSignal): Promise<void> {
  requirePerson(io, 'the pages can only be opened', 'ui');
  const principal = userName();
  const replayed = await replay(files, io, principal);
  const ended = new AbortController();
  let isTwice = false;
  const entrance = new Entrance();
  const api = createUiApi({ stateFolder: stateFolder(io.environment), principal, replayed, ended: ended.signal });
  const name = `sallyport-${randomBytes(4).toString('hex')}.localhost`;
  const onClosed = (reason: 'twice' | 'left'): void => {
    isTwice = reason === 'twice';
    // The browser gets its answer first.
    setTimeout(() => ended.abort(), 100);
  };
  const host = (): string => `${name}:${server.port}`;
  const server = await serveLocally(createPages({ host, entrance, api, onClosed }), port).catch(
    (cause: NodeJS.ErrnoException) => {
      throw new CommandError(`cannot listen on port ${port} (${cause.code}).`, 'leave --port out, or choose another.');
    },
  );
  const link = entrance.link(`http://${host()}`);
  io.stdout(`Open this link in your browser. It works once:\n\n  ${link}\n\nStop it with Ctrl+C.\n`);
  if (hasBrowser(io.environment, io.platform)) openBrowser(new URL(link), io.environment, io.platform);
  const stop = (): void => ended.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  signal?.addEventListener('abort', stop);
  await new Promise((settle) => ended.signal.addEventListener('abort', settle, { once: true }));
  process.off('SIGINT', stop).off('SIGTERM', stop);
  server.close();
  if (isTwice)
    throw new CommandError(
      'the link was opened twice, so the pages were closed: another program may have seen it.',
      'run sallyport ui again. If you did not open it twice yourself, see what was answered: sallyport log',
    );
}

/** `signal` ends it. */
export function uiCommand(io: Io, signal?: AbortSignal): Command {
  return new Command('ui')
    .argument('[files...]', 'recorded conversations to show')
    .addOption(new Option('--port <port>', 'the port of the pages').default(0, 'any free one').argParser(portNumber))
    .addHelpText('after', HELP)
    .action((files: readonly string[], options: UiOptions) => run(io, files, options, signal));
}
