import { createInterface } from 'node:readline/promises';

/** The terminal, as commands see it. */
export interface Io {
  readonly home: string;
  readonly platform: NodeJS.Platform;
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly isTerminal: boolean;
  /** How many characters stand in a line of the screen that is written to. @default nobody looks at a screen */
  readonly columns?: number;
  /** What starts this program, where it is not npx. @default npx -y @sallyport/cli */
  readonly launcher?: string;
  stdout(text: string): void;
  stderr(text: string): void;
  confirm(question: string): Promise<boolean>;
  exit(code: number): void;
}

const INTERRUPTED = 130;

/** Asks at the terminal. Anything but yes is no; whoever ends the program instead has said neither. */
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
