import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fieldsOf, type GenerateRequest } from '@sallyport/core/adapter';
import { type Answer, answerWith, countIn, JudgeError } from './answer.ts';
import type { Client } from './set-up.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** A question to a client, and where it may write. */
interface ClientQuestion extends Pick<GenerateRequest, 'system' | 'schema'> {
  readonly model: string | undefined;
  /** A new folder, which is removed after the answer. */
  readonly folder: string;
  readonly environment: Environment;
}

/** How a client is started, and what it prints. */
interface ClientWay {
  /** The name of its program. */
  readonly program: string;
  start(question: ClientQuestion): { readonly words: readonly string[]; readonly environment: Environment };
  read(output: string): Answer;
}

const LOGIN: Readonly<Record<Client, string>> = {
  'claude-code': 'start claude, and log in with /login.',
  codex: 'log in with: codex login.',
  'gemini-cli': 'start gemini, and log in with /auth.',
};

function failed(client: Client): JudgeError {
  return new JudgeError(`${client} gives no answer.`, `${LOGIN[client]} If you are logged in, update it.`);
}

function fileWith(folder: string, name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}

/** A home folder for a client with nothing of the user's but the login: links, so that a renewed login is kept. */
function homeWith(folder: string, real: string, names: readonly string[]): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of names)
    if (statSync(join(real, name), { throwIfNoEntry: false }) !== undefined)
      symlinkSync(join(real, name), join(folder, name));
  return folder;
}

/**
 * `--safe-mode` turns off hooks, memory files, plugins, skills and MCP servers, and keeps the login. `--tools ""` turns off the tools.
 */
const CLAUDE_CODE: ClientWay = {
  program: 'claude',
  start: ({ system, schema, model, environment }) => ({
    words: [
      ...['-p', '--output-format', 'json', '--safe-mode', '--tools', '', '--strict-mcp-config'],
      ...['--disable-slash-commands', '--no-session-persistence', '--system-prompt', system],
      ...['--json-schema', JSON.stringify(schema), ...(model === undefined ? [] : ['--model', model])],
    ],
    environment: {
      ...environment,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      MAX_THINKING_TOKENS: '0',
      // Set in what Claude Code starts: a session in a session behaves in another way.
      CLAUDECODE: undefined,
      CLAUDE_CODE_ENTRYPOINT: undefined,
    },
  }),
  read: (output) => {
    const { is_error: isError, structured_output: answer, result, usage } = fieldsOf(JSON.parse(output));
    if (isError !== false) throw failed('claude-code');
    const { input_tokens: input, output_tokens: out, ...cached } = fieldsOf(usage);
    const read = countIn(cached.cache_read_input_tokens) + countIn(cached.cache_creation_input_tokens);
    const text = answer === undefined ? String(result) : JSON.stringify(answer);
    return answerWith(text, countIn(input) + read, countIn(out));
  },
};

/** Features with tools, and hooks. */
const CODEX_OFF =
  'hooks shell_tool unified_exec apps plugins multi_agent goals image_generation view_image browser_use computer_use'.split(
    ' ',
  );

/** `AGENTS.md`, hooks, skills and MCP servers are in the home folder of Codex, and no option turns all of them off: it gets another. */
const CODEX: ClientWay = {
  program: 'codex',
  start: ({ system, schema, model, folder, environment }) => ({
    words: [
      ...['exec', '--json', '--ephemeral', '--ignore-user-config', '--ignore-rules', '--skip-git-repo-check'],
      ...['--sandbox', 'read-only', ...CODEX_OFF.flatMap((name) => ['--disable', name])],
      ...['-c', 'web_search=disabled', '-c', `developer_instructions=${JSON.stringify(system)}`],
      ...['--output-schema', fileWith(folder, 'schema.json', JSON.stringify(schema))],
      ...(model === undefined ? [] : ['--model', model]),
      '-',
    ],
    environment: {
      ...environment,
      CODEX_HOME: homeWith(join(folder, 'home'), environment.CODEX_HOME || homeFolder(environment, '.codex'), [
        'auth.json',
      ]),
    },
  }),
  read: (output) => {
    const events = output
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => fieldsOf(JSON.parse(line)));
    const done = events.find(({ type }) => type === 'turn.completed');
    const said = events.map(({ item }) => fieldsOf(item)).filter(({ type }) => type === 'agent_message');
    if (done === undefined || said.length !== 1) throw failed('codex');
    const { input_tokens: input, output_tokens: out } = fieldsOf(done.usage);
    return answerWith(String(said[0]?.text), countIn(input), countIn(out));
  },
};

const NOTHING = { enabled: false };

/** Hooks, tools, memory and extensions are in the settings of the home folder, which a command line cannot turn off: it gets another. */
const GEMINI_CLI: ClientWay = {
  program: 'gemini',
  start: ({ system, model, folder, environment }) => {
    const real = join(environment.GEMINI_CLI_HOME || homeFolder(environment), '.gemini');
    const home = join(folder, 'home');
    const own = homeWith(join(home, '.gemini'), real, ['oauth_creds.json', 'google_accounts.json', '.env']);
    const settings = {
      security: { auth: { selectedType: selectedLogin(real) } },
      // An empty list means all of them.
      tools: { core: ['none'] },
      ...{ hooksConfig: NOTHING, skills: NOTHING, telemetry: NOTHING, experimental: { enableAgents: false } },
      ...{ general: { enableAutoUpdate: false }, privacy: { usageStatisticsEnabled: false } },
    };
    fileWith(own, 'settings.json', JSON.stringify(settings));
    return {
      words: [
        ...['--prompt', '', '--output-format', 'json', '--skip-trust', '--extensions', 'none'],
        ...(model === undefined ? [] : ['--model', model]),
      ],
      environment: {
        ...environment,
        GEMINI_CLI_HOME: home,
        GEMINI_SYSTEM_MD: fileWith(folder, 'system.md', system),
        // Else it starts itself a second time.
        GEMINI_CLI_NO_RELAUNCH: 'true',
      },
    };
  },
  read: (output) => {
    const { response, stats } = fieldsOf(JSON.parse(output));
    if (typeof response !== 'string') throw failed('gemini-cli');
    const all = Object.values(fieldsOf(fieldsOf(stats).models)).map((each) => fieldsOf(fieldsOf(each).tokens));
    const sum = (name: string): number => all.reduce((total, each) => total + countIn(each[name]), 0);
    return answerWith(response, sum('prompt'), sum('candidates') + sum('thoughts'));
  },
};

function homeFolder({ HOME, USERPROFILE }: Environment, ...names: string[]): string {
  return join(HOME || USERPROFILE || homedir(), ...names);
}

/** How the user logs in to Gemini: the client asks for it otherwise. */
function selectedLogin(folder: string): unknown {
  try {
    const { security } = fieldsOf(JSON.parse(readFileSync(join(folder, 'settings.json'), 'utf8')));
    return fieldsOf(fieldsOf(security).auth).selectedType;
  } catch {
    return undefined;
  }
}

export const CLIENT_WAYS: Readonly<Record<Client, ClientWay>> = {
  'claude-code': CLAUDE_CODE,
  codex: CODEX,
  'gemini-cli': GEMINI_CLI,
};

/** What a client printed as an answer. */
export function readOutput(client: Client, code: number | null, output: string): Answer {
  if (code !== 0) throw failed(client);
  try {
    return CLIENT_WAYS[client].read(output);
  } catch (cause) {
    if (cause instanceof JudgeError) throw cause;
    throw new JudgeError(`${client} answers in an unknown form.`, `update ${client}, or use --endpoint.`);
  }
}
