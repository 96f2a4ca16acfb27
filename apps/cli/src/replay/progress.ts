import type { Io } from '../io.ts';
import { countOf, printable } from '../terminal-text.ts';

const BAR_WIDTH = 24;
const INTERVAL_MS = 100;

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;
}

function progressBar(bytes: number, total: number | undefined): string {
  if (total === undefined) return megabytes(bytes);
  const share = total === 0 ? 1 : Math.min(1, bytes / total);
  const filled = Math.round(share * BAR_WIDTH);
  const bar = `${'#'.repeat(filled)}${'-'.repeat(BAR_WIDTH - filled)}`;
  return `[${bar}] ${Math.round(share * 100)} % of ${megabytes(total)}`;
}

/** Shows progress: one line that is rewritten on a terminal, a line per file elsewhere. */
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
      if (file !== this.#file) this.#io.stderr(`reading ${printable(file)}${size}\n`);
      this.#file = file;
      return;
    }
    const now = Date.now();
    if (now - this.#last < INTERVAL_MS) return;
    this.#last = now;
    this.#io.stderr(`\r\u001b[2K${progressBar(bytes, total)}, ${countOf(count, 'conversation')}`);
  }

  end(): void {
    if (this.#io.isTerminal) this.#io.stderr('\r\u001b[2K');
  }
}
