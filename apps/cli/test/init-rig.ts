import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { CommanderError } from 'commander';
import { onTestFinished } from 'vitest';
import { SERVER_TABLES } from '../src/init/config/servers.ts';
import { initCommand } from '../src/init/init.ts';
import { type Planned, plan } from '../src/init/plan.ts';
import { splitLauncher } from '../src/init/wrapper.ts';

interface Result {
  readonly code: number | undefined;
  readonly out: string;
  readonly error: string;
  readonly questions: readonly string[];
}

interface RunOptions {
  /** The user's answer at the terminal. Without it there is no terminal. */
  readonly answer?: boolean;
  /** The answer to how it should begin. @default a: it asks */
  readonly mode?: 'a' | 'w';
  /** Called before the answer. */
  readonly meanwhile?: () => void;
  readonly platform?: NodeJS.Platform;
  readonly environment?: Readonly<Record<string, string>>;
  /** Whether hooks of coding agents are installed too. @default false */
  readonly hooks?: boolean;
  readonly columns?: number;
  /** The command that starts this program. */
  readonly launcher?: string;
}

/** A home and a project folder for one test, and the command run in them. */
export interface Rig {
  readonly home: string;
  readonly project: string;
  write(path: string, text: string): string;
  read(path: string): string;
  run(args: readonly string[], options?: RunOptions): Promise<Result>;
}

export function createRig(): Rig {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sallyport-init-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [home, project] = [join(folder, 'home'), join(folder, 'project')];
  for (const each of [home, project]) mkdirSync(each);
  return {
    home,
    project,
    write: (path, text) => {
      const whole = join(folder, path);
      mkdirSync(dirname(whole), { recursive: true });
      writeFileSync(whole, text);
      return whole;
    },
    read: (path) => readFileSync(join(folder, path), 'utf8'),
    run: async (
      args,
      { answer, mode = 'a', meanwhile, platform = 'linux', environment = {}, hooks = false, columns, launcher } = {},
    ) => {
      const said = { out: '', error: '' };
      const questions: string[] = [];
      const codes: number[] = [];
      const command = initCommand({
        home,
        platform,
        cwd: project,
        environment: {
          SALLYPORT_STATE: join(folder, 'state'),
          XDG_CONFIG_HOME: join(home, '.config'),
          ...environment,
        },
        stdout: (text) => {
          said.out += text;
        },
        stderr: (text) => {
          said.error += text;
        },
        isTerminal: answer !== undefined,
        ...(columns !== undefined && { columns }),
        ...(launcher !== undefined && { launcher }),
        confirm: async (question) => {
          questions.push(question);
          meanwhile?.();
          return answer ?? false;
        },
        choose: async (question) => {
          questions.push(question);
          return mode;
        },
        exit: (code) => codes.push(code),
      });
      await command.parseAsync(hooks ? args : [...args, '--no-hooks'], { from: 'user' }).catch((error: unknown) => {
        if (!(error instanceof CommanderError)) throw error;
      });
      if (codes.length !== 1) throw new Error(`expected one exit code; received ${codes.length}`);
      return { code: codes[0], ...said, questions };
    },
  };
}

/** A typical configuration. */
export const PLAIN = `{
  "mcpServers": {
    "files": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-filesystem", "/srv"],
      "env": { "TOKEN": "hunter2" }
    }
  }
}
`;

export const LAUNCHER = splitLauncher('npx -y @sallyport/cli');

/** Plans the change of a text, with servers in any known table. Throws if the text cannot be read. */
export function planOf(text: string, action: 'wrap' | 'unwrap', syntax: 'json' | 'toml', launcher = LAUNCHER): Planned {
  const planned = plan(text, syntax, { action, launcher, tables: Object.values(SERVER_TABLES) });
  if (planned.type === 'malformed') throw new Error(`line ${planned.line}: ${planned.reason}`);
  return planned;
}
