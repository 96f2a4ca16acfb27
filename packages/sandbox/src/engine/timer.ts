import type { Timer } from '@sallyport/core/stages';

/** The platform's timer. A pending timer does not keep the process alive. */
export const platformTimer: Timer = {
  set: (callback, milliseconds) => setTimeout(callback, milliseconds).unref(),
  clear: (handle) => clearTimeout(handle as NodeJS.Timeout),
};
