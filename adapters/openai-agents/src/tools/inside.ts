import { AsyncLocalStorage } from 'node:async_hooks';
import type { Speaker } from '../turns/turns.ts';

const running = new AsyncLocalStorage<true>();

/** Runs a tool. An agent that it starts is spoken to by a model, whatever stands as the user's message there. */
export function runInside<T>(tool: () => T): T {
  return running.run(true, tool);
}

/** Who speaks to the model that is called now. */
export function currentSpeaker(): Speaker {
  return running.getStore() === true ? 'model' : 'user';
}
