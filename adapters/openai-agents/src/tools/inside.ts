import { AsyncLocalStorage } from 'node:async_hooks';
import type { Speaker } from '../turns/turns.ts';

const running = new AsyncLocalStorage<true>();

/** Runs a tool. In an agent that the tool starts, the user's message was written by a model. */
export function runInside<T>(tool: () => T): T {
  return running.run(true, tool);
}

/** The author of the user's message for the model that is called now. */
export function currentSpeaker(): Speaker {
  return running.getStore() === true ? 'model' : 'user';
}
