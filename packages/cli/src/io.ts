import { createInterface } from 'node:readline/promises';

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
  exit(code: number): void;
}

const INTERRUPTED = 130;

/** Asks at the terminal. Any answer except `y` or `yes` means no; Ctrl+C ends the program without an answer. */
export async function confirmAtTerminal(question: string): Promise<boolean> {
  const reader = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(?:es)?$/i.test((await reader.question(`${question} [y/N] `)).trim());
  } catch (cause) {
    if ((cause as Error).name !== 'AbortError') throw cause;
    process.stdout.write('\n');
    process.exit(INTERRUPTED);
  } finally {
    reader.close();
  }
}
