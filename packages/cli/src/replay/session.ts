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
import { Tally, TOUCHES, type Touch, touchOf } from './tally.ts';
import type { LoggedTools } from './tools.ts';

export interface SessionOptions {
  readonly tools: LoggedTools;
  readonly preset: 'balanced' | 'strict';
  readonly format: Format | undefined;
  /** Conversations of each kind that are drawn. */
  readonly most: number;
}

/** Conversations as they are drawn: so many of each kind, so that a long log has a page that opens. */
class Gallery {
  readonly #most: number;
  readonly #drawn = new Map<Touch, string[]>(TOUCHES.map((touch) => [touch, []]));

  constructor(most: number) {
    this.#most = most;
  }

  add(touch: Touch, played: Played): void {
    const drawn = this.#drawn.get(touch) as string[];
    const most = touch === 'untouched' ? Math.min(3, this.#most) : this.#most;
    if (drawn.length < most) drawn.push(drawConversation(played, touch, `${touch}${drawn.length}`));
  }

  get all(): readonly string[] {
    return TOUCHES.flatMap((touch) => this.#drawn.get(touch) ?? []);
  }
}

interface Found {
  readonly log: Log;
  readonly format: Format;
}

/** What a value is as one conversation, or as spans of several; undefined for what is none, or not what it looks like. */
function read(whole: unknown, given: Format | undefined, name: string): readonly Found[] | undefined {
  if (typeof whole !== 'object' || whole === null) return undefined;
  try {
    const value = unwrapped(whole);
    const format = isListOfLogs(value) ? undefined : (given ?? formatOf(value));
    return format === undefined ? undefined : logsIn(value, format, name).map((log) => ({ log, format }));
  } catch {
    return undefined;
  }
}

/** The conversations in one value of a file; undefined for what is none. A document may be a list of them. */
function* logsOf(
  value: unknown,
  given: Format | undefined,
  name: string,
  isInside = false,
): Generator<Found | undefined> {
  const found = read(value, given, name);
  if (found !== undefined) yield* found;
  else if (!Array.isArray(value) || isInside) yield undefined;
  else for (const [index, each] of value.entries()) yield* logsOf(each, given, `${name}.${index + 1}`, true);
}

function isMismatched(value: unknown, given: Format | undefined): boolean {
  try {
    return given !== undefined && (formatOf(unwrapped(value)) ?? given) !== given;
  } catch {
    return false;
  }
}

/** Plays the conversations of files, one at a time: nothing of one is left when the next is read but counts and a drawing. */
export class Session {
  readonly tally: Tally = new Tally();
  readonly #options: SessionOptions;
  readonly #boundary: Boundary;
  readonly #gallery: Gallery;

  constructor(options: SessionOptions) {
    const { tools, preset, most } = options;
    this.#options = options;
    this.#gallery = new Gallery(most);
    const cache = memoryVerdictCache(20_000);
    this.#boundary = createBoundary({ tools, classifier: spanClassifier, cache, gate: { preset } });
  }

  /** The conversations as they are drawn, the worst first. */
  get drawn(): readonly string[] {
    return this.#gallery.all;
  }

  /** Plays a file, and says after every value how far it has come. Its conversations are called by the name and a number. */
  async *play(file: string, name: string): AsyncGenerator<Read> {
    let count = 0;
    for await (const read of valuesIn(file)) {
      const value = 'value' in read ? read.value : undefined;
      const { format } = this.#options;
      if (isMismatched(value, format)) this.tally.mismatched++;
      const place = 'broken' in read ? `line ${read.broken} of ${name}` : `${name} ${count + 1}`;
      for (const found of logsOf(value, format, `${name} ${++count}`)) await this.#take(found, place);
      yield read;
    }
  }

  /** One that cannot be played, since it is not what it looks like, is no reason to give up all others. */
  async #take(found: Found | undefined, place: string): Promise<void> {
    if (found === undefined) return this.tally.refuse(place);
    try {
      const played = await play(found.log, this.#boundary, this.#options.tools);
      const touch = touchOf(played);
      this.#gallery.add(touch, played);
      this.tally.count(played, touch, found.format);
    } catch {
      this.tally.refuse(place);
    }
  }
}
