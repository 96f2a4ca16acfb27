import type { Io } from '../io.ts';

const WIDTH = 24;
const EVERY = 100;

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;
}

/** How far a long work has come: one line that is rewritten on a terminal, a plain line per file elsewhere. */
export class Progress {
  readonly #io: Io;
  #last = 0;
  #file = '';

  constructor(io: Io) {
    this.#io = io;
  }

  show(file: string, bytes: number, total: number, count: number): void {
    if (!this.#io.isTerminal) {
      if (file !== this.#file) this.#io.stderr(`reading ${file} (${megabytes(total)})\n`);
      this.#file = file;
      return;
    }
    const now = Date.now();
    if (now - this.#last < EVERY) return;
    this.#last = now;
    const share = total === 0 ? 1 : Math.min(1, bytes / total);
    const bar = `${'#'.repeat(Math.round(share * WIDTH))}${'-'.repeat(WIDTH - Math.round(share * WIDTH))}`;
    this.#io.stderr(`\r\u001b[2K[${bar}] ${Math.round(share * 100)} % of ${megabytes(total)}, ${count} conversations`);
  }

  end(): void {
    if (this.#io.isTerminal) this.#io.stderr('\r\u001b[2K');
  }
}
