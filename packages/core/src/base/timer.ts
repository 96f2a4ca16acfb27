/**
 * A timer. Core does not depend on the platform's own, so that tests can replace it.
 *
 * @example
 * ```ts
 * const timer: Timer = {
 *   set: (callback, milliseconds) => setTimeout(callback, milliseconds),
 *   clear: (handle) => clearTimeout(handle as NodeJS.Timeout),
 * };
 * ```
 */
export interface Timer {
  set(callback: () => void, milliseconds: number): unknown;
  clear(handle: unknown): void;
}

interface Platform {
  setTimeout(callback: () => void, milliseconds: number): { unref?(): void };
  clearTimeout(handle: unknown): void;
}

const platform = globalThis as unknown as Platform;

/** The platform's timer. */
export const platformTimer: Timer = {
  set: (callback, milliseconds) => platform.setTimeout(callback, milliseconds),
  clear: (handle) => platform.clearTimeout(handle),
};

/**
 * The platform's timer for work in the background: while it waits, it does not keep the process alive.
 *
 * @example
 * ```ts
 * const handle = backgroundTimer.set(() => socket.destroy(), 5000);
 * ```
 */
export const backgroundTimer: Timer = {
  ...platformTimer,
  set: (callback, milliseconds) => {
    const handle = platform.setTimeout(callback, milliseconds);
    // A browser's handle is a number.
    handle.unref?.();
    return handle;
  },
};
