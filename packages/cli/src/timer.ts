import type { Timer } from '@sallyport/core/stages';

/** The timer of the platform. A pending alarm does not keep the process alive. */
export const platformTimer: Timer = {
  set: (callback, milliseconds) => setTimeout(callback, milliseconds).unref(),
  clear: (handle) => clearTimeout(handle as NodeJS.Timeout),
};
