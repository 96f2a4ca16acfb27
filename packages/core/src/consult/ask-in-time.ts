import { type AbortSignalLike, type TimeLimit, withTimeLimit } from '../base/time-limit.ts';
import type { Timer } from '../base/timer.ts';
import { causeName } from '../event.ts';

const LATE: unique symbol = Symbol('late');

/** A question to a model or a function that may be slow or wrong. */
interface Asking<Answer, Read> {
  readonly ask: (signal: AbortSignalLike) => PromiseLike<Answer> | Answer;
  /** Reads an answer that came in time. Throws if it is not valid. */
  readonly read: (answer: Answer) => Read;
  readonly timer: Timer;
  /** Milliseconds. */
  readonly timeout: number;
  readonly onFailed: (cause: string | undefined) => void;
}

/** The answer to a question; undefined if it is late or fails, which is reported. */
export async function askInTime<Answer, Read>(asking: Asking<Answer, Read>): Promise<Read | undefined> {
  const { ask, read, timer, timeout, onFailed } = asking;
  const limit: TimeLimit<typeof LATE> = { timer, timeout, late: LATE };
  try {
    const answer = await withTimeLimit<Answer, typeof LATE>(async (signal) => ask(signal), limit);
    if (answer !== LATE) return read(answer as Answer);
    onFailed('TimeoutError');
  } catch (cause) {
    onFailed(causeName(cause));
  }
  return undefined;
}
