import { Command, InvalidArgumentError, Option } from 'commander';
import { loginName, serverAddress } from '../../address.ts';
import type { Io } from '../../io.ts';
import { loginFolder } from '../../state.ts';
import { CommandError, printable } from '../../terminal-text.ts';
import { createRemoteFetch } from '../remote/fetch.ts';
import { authorize, type OwnClient } from './authorize.ts';
import { hasBrowser, openBrowser } from './browser.ts';
import { type Challenge, readChallenge } from './challenge.ts';
import { LOGIN_TIMEOUT } from './credentials.ts';
import { LoginFiles } from './login-files.ts';

interface LoginOptions {
  readonly clientId?: string;
  readonly clientSecretEnv?: string;
  readonly port?: number;
  readonly scope?: string;
}

const HELP = `
Opens the login page of an MCP server in your browser, and keeps the tokens for sallyport wrap, in a file that only you can read. The page's address is printed as well: open it in a browser on this machine.

Examples:
  sallyport login https://mcp.notion.com/mcp
  sallyport login https://example.com/mcp --client-id abc --client-secret-env EXAMPLE_SECRET --port 8976

Environment:
  SALLYPORT_BROWSER  the program that opens the page; none: only print it

Exit codes: 0 logged in, 1 the login failed, 2 wrong usage.`;

const PROBE = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
const PROBE_TIMEOUT = 15_000;

function portNumber(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1024 || port > 65_535)
    throw new InvalidArgumentError('Expected a port: a number from 1024 to 65535.');
  return port;
}

/** Asks the server without a token: its refusal says where to log in. */
async function challengeOf(url: URL): Promise<Challenge> {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  try {
    const signal = AbortSignal.timeout(PROBE_TIMEOUT);
    const answer = await createRemoteFetch()(url.href, { method: 'POST', headers, body: PROBE, signal });
    answer.discard();
    return readChallenge(answer.status === 401 ? (answer.header('www-authenticate') ?? '') : '', url);
  } catch {
    throw new CommandError(`${url.host} cannot be reached.`, 'check the address and your connection.');
  }
}

function clientFrom({ clientId, clientSecretEnv }: LoginOptions, io: Io): OwnClient | undefined {
  if (clientId === undefined) return undefined;
  if (clientSecretEnv === undefined) return { id: clientId };
  const secret = io.environment[clientSecretEnv];
  if (secret === undefined || secret === '')
    throw new CommandError(
      `the environment variable ${printable(clientSecretEnv, 60)} is not set.`,
      'set it to the secret of the client.',
      2,
    );
  return { id: clientId, secret };
}

async function login(io: Io, address: string, options: LoginOptions): Promise<void> {
  const url = serverAddress(address);
  const client = clientFrom(options, io);
  const challenge = await challengeOf(url);
  const result = await authorize({
    url,
    challenge: options.scope === undefined ? challenge : { ...challenge, scope: options.scope },
    ...(client === undefined ? {} : { client }),
    ...(options.port === undefined ? {} : { port: options.port }),
    signal: AbortSignal.timeout(LOGIN_TIMEOUT),
    show: (page) => {
      io.stdout(`Log in at this address:\n${printable(page.href, 4000)}\n`);
      if (hasBrowser(io.environment, io.platform)) openBrowser(page, io.environment, io.platform);
    },
  });
  new LoginFiles(loginFolder(io.environment)).write(loginName(url), result);
  io.stdout(`Logged in to ${url.host}.\n`);
}

export function loginCommandFor(io: Io): Command {
  return new Command('login')
    .argument('<url>', "the server's address")
    .option('--client-id <id>', 'id of a client that you registered with the server yourself')
    .option('--client-secret-env <variable>', 'environment variable with its secret')
    .addOption(new Option('--port <port>', 'port that the browser returns to (default: any)').argParser(portNumber))
    .option('--scope <scope>', 'permissions to ask for (default: what the server says)')
    .addHelpText('after', HELP)
    .action(async (address: string, options: LoginOptions) => {
      await login(io, address, options);
      io.exit(0);
    });
}

export function logoutCommandFor(io: Io): Command {
  return new Command('logout')
    .argument('<url>', "the server's address")
    .addHelpText(
      'after',
      '\nRemoves the tokens of an MCP server from this machine. To make them invalid everywhere, use the settings of your account at the server.\n\nExample:\n  sallyport logout https://mcp.notion.com/mcp\n\nExit codes: 0 removed, 1 there is no login, 2 wrong usage.',
    )
    .action((address: string) => {
      const url = serverAddress(address);
      const isRemoved = new LoginFiles(loginFolder(io.environment)).remove(loginName(url));
      if (!isRemoved) throw new CommandError(`there is no login at ${url.host}.`, 'check the address.');
      io.stdout(`Removed the login at ${url.host} from this machine.\n`);
      io.exit(0);
    });
}
