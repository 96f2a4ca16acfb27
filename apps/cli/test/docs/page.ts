import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../fixtures/rig.ts';

const BLOCK = /<!-- run: (\S+) -->\n( *)```(\w*)[^\n]*\n([\s\S]*?)^\2```/gm;
const PROGRAM = /<!-- snippet: \S+ -->\n```ts\n([\s\S]*?)^```/gm;

/** The code blocks of a page that name a test file as what runs them, in their order. */
function blocksOf(page: string, test: string): readonly string[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  const blocks = [...text.matchAll(BLOCK)].filter(([, file]) => file === test);
  if (blocks.length === 0) throw new Error(`${page} has no block under <!-- run: ${test} -->`);
  return blocks.map(([, , , , code = '']) => code);
}

/** The programs of a page, as a reader pastes them into one file: the blocks that are regions of a program. */
export function programOf(page: string): string {
  const text = readFileSync(join(ROOT, page), 'utf8');
  return [...text.matchAll(PROGRAM)].map(([, code = '']) => code).join('\n');
}

/** Hands out the blocks of a page one by one, so that no block is left out. */
export class Page {
  readonly #name: string;
  readonly #left: string[];

  constructor(name: string, test: string) {
    this.#name = name;
    this.#left = [...blocksOf(name, test)];
  }

  /** The next block. `part` is a text in it, which says to a reader of the test which one it is. */
  next(part: string): string {
    const block = this.#left.shift();
    if (!block?.includes(part))
      throw new Error(`the next block of ${this.#name} is not the one with ${part}:\n${block}`);
    return block;
  }

  end(): void {
    if (this.#left.length > 0)
      throw new Error(`${this.#name} has blocks that the test does not run:\n${this.#left[0]}`);
  }
}
