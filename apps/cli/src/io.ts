import { CommandError } from './terminal-text.ts';

/** The terminal and the machine, as commands see them. */
export interface Io {
  readonly home: string;
  readonly platform: NodeJS.Platform;
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly isTerminal: boolean;
  /** Width of the terminal in characters. @default undefined: standard output is not a terminal */
  readonly columns?: number;
  /** The command that starts this program. @default npx -y @sallyport/cli */
  readonly launcher?: string;
  stdout(text: string): void;
  stderr(text: string): void;
  confirm(question: string): Promise<boolean>;
  /** Asks for one of several keys. Any other answer is the last one. */
  choose(question: string, keys: readonly string[]): Promise<string>;
  exit(code: number): void;
}

const INTERRUPTED = 130;

/** An agent with a shell can run this program too. It must not answer for the person. */
export function requirePerson({ isTerminal }: Io, what: string, command: string): void {
  if (isTerminal) return;
  throw new CommandError(
    `${what} by a person at a terminal.`,
    `run it in a terminal of your own: sallyport ${command}`,
  );
}

/** The user's answer at the terminal. Ctrl+C ends the program without one. */
async function answerTo(question: string): Promise<string> {
  const { createInterface } = await import('node:readline/promises');
  const reader = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return (await reader.question(question)).trim().toLowerCase();
  } catch (cause) {
    if ((cause as Error).name !== 'AbortError') throw cause;
    process.stdout.write('\n');
    process.exit(INTERRUPTED);
  } finally {
    reader.close();
  }
}

/** Asks at the terminal. Any answer except `y` or `yes` means no. */
export async function confirmAtTerminal(question: string): Promise<boolean> {
  return /^y(?:es)?$/.test(await answerTo(`${question} [y/N] `));
}

/** Asks at the terminal for one of several keys. Any other answer is the last one, which is shown in upper case. */
export async function chooseAtTerminal(question: string, keys: readonly string[]): Promise<string> {
  const last = keys.at(-1) ?? '';
  const answer = await answerTo(`${question} [${[...keys.slice(0, -1), last.toUpperCase()].join('/')}] `);
  return keys.find((key) => key === answer) ?? last;
}
