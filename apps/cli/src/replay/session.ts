import { spanClassifier } from '@sallyport/classifier';
import { type Boundary, createBoundary } from '@sallyport/core';
import { memoryVerdictCache } from '@sallyport/core/stages';
import { drawConversation } from './draw/drawing.ts';
import { type Played, play } from './play.ts';
import { type Format, formatOf, logsIn } from './read/format.ts';
import { isListOfLogs } from './read/gather.ts';
import type { Log } from './read/log.ts';
import { unwrapped } from './read/unwrap.ts';
import { type Read, valuesIn } from './read/values.ts';
import { IMPACTS, type Impact, impactOf, Tally } from './tally.ts';
import type { LoggedTools } from './tools.ts';

export interface SessionOptions {
  readonly tools: LoggedTools;
  readonly preset: 'balanced' | 'strict';
  readonly format: Format | undefined;
  /** Maximum number of conversations of each kind in the report. */
  readonly maxDrawn: number;
  /** Called with every conversation after it was replayed. @default not called */
  readonly onPlayed?: (played: Played) => void;
}

/** The drawn conversations: a limited number of each kind, so that a browser can open the report of a long log. */
class Gallery {
  readonly #maxDrawn: number;
  readonly #drawn = new Map<Impact, string[]>(IMPACTS.map((impact) => [impact, []]));

  constructor(maxDrawn: number) {
    this.#maxDrawn = maxDrawn;
  }

  add(impact: Impact, played: Played): void {
    const drawn = this.#drawn.get(impact) as string[];
    const max = impact === 'untouched' ? Math.min(3, this.#maxDrawn) : this.#maxDrawn;
    if (drawn.length < max) drawn.push(drawConversation(played, impact, `${impact}${drawn.length}`));
  }

  get all(): readonly string[] {
    return IMPACTS.flatMap((impact) => this.#drawn.get(impact) ?? []);
  }
}

interface Found {
  readonly log: Log;
  readonly format: Format;
}

/** Reads a value as one conversation or as spans of several; undefined if it is neither. */
function read(whole: unknown, expected: Format | undefined, name: string): readonly Found[] | undefined {
  if (typeof whole !== 'object' || whole === null) return undefined;
  try {
    const value = unwrapped(whole);
    const format = isListOfLogs(value) ? undefined : (expected ?? formatOf(value));
    return format === undefined ? undefined : logsIn(value, format, name).map((log) => ({ log, format }));
  } catch {
    // The value only resembles a conversation. It is counted and reported as unreadable.
    return undefined;
  }
}

/** The conversations in one value of a file; undefined for each part that is not one. A document may be a list of them. */
function* logsOf(
  value: unknown,
  expected: Format | undefined,
  name: string,
  isNested = false,
): Generator<Found | undefined> {
  const found = read(value, expected, name);
  if (found !== undefined) yield* found;
  else if (!Array.isArray(value) || isNested) yield undefined;
  else for (const [index, each] of value.entries()) yield* logsOf(each, expected, `${name}.${index + 1}`, true);
}

function isMismatched(value: unknown, expected: Format | undefined): boolean {
  try {
    return expected !== undefined && (formatOf(unwrapped(value)) ?? expected) !== expected;
  } catch {
    // `read` reports the value as unreadable.
    return false;
  }
}

/** Replays the conversations of files one at a time. Only counts and drawings of a conversation stay in memory. */
export class Session {
  readonly tally: Tally = new Tally();
  readonly #options: SessionOptions;
  readonly #boundary: Boundary;
  readonly #gallery: Gallery;

  constructor(options: SessionOptions) {
    const { tools, preset, maxDrawn } = options;
    this.#options = options;
    this.#gallery = new Gallery(maxDrawn);
    const cache = memoryVerdictCache(20_000);
    this.#boundary = createBoundary({ tools, classifier: spanClassifier, cache, gate: { preset } });
  }

  /** The drawn conversations, the most serious first. */
  get drawn(): readonly string[] {
    return this.#gallery.all;
  }

  /** Replays a file, and yields its progress after every value. Conversations without an id are called `name` and a number. */
  async *play(file: string, name: string): AsyncGenerator<Read> {
    let count = 0;
    for await (const read of valuesIn(file)) {
      const value = 'value' in read ? read.value : undefined;
      const { format } = this.#options;
      if (isMismatched(value, format)) this.tally.mismatched++;
      const position = 'broken' in read ? `line ${read.broken} of ${name}` : `${name} ${count + 1}`;
      for (const found of logsOf(value, format, `${name} ${++count}`)) await this.#replay(found, position);
      yield read;
    }
  }

  /** Counts a conversation that cannot be replayed as unreadable, so that the others are still replayed. */
  async #replay(found: Found | undefined, position: string): Promise<void> {
    if (found === undefined) return this.tally.countUnreadable(position);
    try {
      const played = await play(found.log, this.#boundary, this.#options.tools);
      const impact = impactOf(played);
      this.#gallery.add(impact, played);
      this.tally.count(played, impact, found.format);
      this.#options.onPlayed?.(played);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      this.tally.countUnreadable(`${position} (${reason})`);
    }
  }
}
