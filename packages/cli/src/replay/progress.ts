import type { Io } from '../io.ts';
import { shown } from '../terminal-text.ts';

const WIDTH = 24;
const EVERY = 100;

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;
}

function far(bytes: number, total: number | undefined): string {
  if (total === undefined) return megabytes(bytes);
  const share = total === 0 ? 1 : Math.min(1, bytes / total);
  const bar = `${'#'.repeat(Math.round(share * WIDTH))}${'-'.repeat(WIDTH - Math.round(share * WIDTH))}`;
  return `[${bar}] ${Math.round(share * 100)} % of ${megabytes(total)}`;
}

/** How far a long work has come: one line that is rewritten on a terminal, a plain line per file elsewhere. */
export class Progress {
  readonly #io: Io;
  #last = 0;
  #file = '';

  constructor(io: Io) {
    this.#io = io;
  }

  show(file: string, bytes: number, total: number | undefined, count: number): void {
    if (!this.#io.isTerminal) {
      const size = total === undefined ? '' : ` (${megabytes(total)})`;
      if (file !== this.#file) this.#io.stderr(`reading ${shown(file)}${size}\n`);
      this.#file = file;
      return;
    }
    const now = Date.now();
    if (now - this.#last < EVERY) return;
    this.#last = now;
    this.#io.stderr(`\r\u001b[2K${far(bytes, total)}, ${count} conversations`);
  }

  end(): void {
    if (this.#io.isTerminal) this.#io.stderr('\r\u001b[2K');
  }
}
