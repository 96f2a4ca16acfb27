'use client';

import type { ApprovalScope, HeldCall, Settlement } from '@sallyport/core';
import { useCallback, useEffect, useRef, useState } from 'react';

type WithoutPerson<Answer> = Answer extends unknown ? Omit<Answer, 'by'> : never;

/**
 * A person's answer without their name: your server knows that from their login, and adds `by`.
 *
 * @example
 * ```ts
 * const answer: HeldAnswer = { outcome: 'approve', scope: 'task' };
 * await boundary.settle(id, { ...answer, by: session.userId });
 * ```
 */
export type HeldAnswer = WithoutPerson<Settlement>;

/** Options of `useHeldCalls`. */
export interface HeldCallsOptions {
  /** Asks your server for the calls that wait, such as those of `boundary.pending({ conversation })`. */
  readonly load: () => Promise<readonly HeldCall[]>;
  /** Tells your server the answer about one call, for `boundary.settle()`. If it resolves to false, the call no longer waits. */
  readonly settle: (id: string, answer: HeldAnswer) => Promise<unknown>;
  /** How many milliseconds pass before the calls are loaded again; 0 for never. @default 3000 */
  readonly interval?: number;
}

/** The result of `useHeldCalls`. */
export interface HeldCalls {
  /** The calls that wait, as they were loaded last. */
  readonly calls: readonly HeldCall[];
  /** Set until the calls have been loaded. */
  readonly isLoading: boolean;
  /** Why the last answer was not accepted, until the next answer; or why the calls could not be loaded, until they are. */
  readonly error: Error | undefined;
  /** The calls whose answer is on its way, by their ids. */
  readonly settling: readonly string[];
  /** Allows a call. Like the other answers, it resolves to whether the server accepted it, and never rejects. */
  readonly approve: (id: string, scope?: ApprovalScope) => Promise<boolean>;
  readonly reject: (id: string, note?: string) => Promise<boolean>;
  /** Allows a denied call, once, although the person has read why it was denied. */
  readonly override: (id: string) => Promise<boolean>;
  /** Loads the calls now, such as when a run of the agent has ended. */
  readonly reload: () => Promise<void>;
}

const INTERVAL = 3000;

function errorOf(cause: unknown): Error {
  return cause instanceof Error ? cause : new Error(String(cause));
}

/** A function that does not change, and calls the latest one. */
function useLatest<Given extends unknown[], Result>(latest: (...given: Given) => Result): (...given: Given) => Result {
  const held = useRef(latest);
  useEffect(() => {
    held.current = latest;
  });
  return useCallback((...given: Given) => held.current(...given), []);
}

interface Loaded {
  readonly calls: readonly HeldCall[];
  readonly isLoading: boolean;
  readonly error: Error | undefined;
}

/** Loads the calls, and again after each interval. */
function useLoaded(given: HeldCallsOptions['load'], interval: number) {
  const load = useLatest(given);
  const [loaded, setLoaded] = useState<Loaded>({ calls: [], isLoading: true, error: undefined });
  const latest = useRef(0);
  const reload = useCallback(async (): Promise<void> => {
    const turn = ++latest.current;
    // An answer that was asked for earlier may list a call that has been settled since.
    const isLatest = () => turn === latest.current;
    try {
      const calls = await load();
      if (isLatest()) setLoaded({ calls, isLoading: false, error: undefined });
    } catch (cause) {
      if (isLatest()) setLoaded(({ calls }) => ({ calls, isLoading: false, error: errorOf(cause) }));
    }
  }, [load]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const next = async (): Promise<void> => {
      await reload();
      if (!isOver && interval > 0) timer = setTimeout(next, interval);
    };
    void next();
    return () => {
      isOver = true;
      latest.current++;
      clearTimeout(timer);
    };
  }, [reload, interval]);
  return { loaded, reload };
}

/**
 * The calls that wait for a person, kept up to date, and the functions that answer them.
 *
 * @example
 * ```tsx
 * const { calls, approve, reject } = useHeldCalls({
 *   load: () => fetch(`/api/chats/${chatId}/held`).then((response) => response.json()),
 *   settle: (id, answer) => fetch(`/api/held/${id}`, { method: 'POST', body: JSON.stringify(answer) }),
 * });
 * ```
 */
export function useHeldCalls({ load, settle: given, interval = INTERVAL }: HeldCallsOptions): HeldCalls {
  const settle = useLatest(given);
  const { loaded, reload } = useLoaded(load, interval);
  const [refusal, setRefusal] = useState<Error>();
  const [settling, setSettling] = useState<readonly string[]>([]);
  const answer = useCallback(
    async (id: string, about: HeldAnswer): Promise<boolean> => {
      setSettling((ids) => [...ids, id]);
      setRefusal(undefined);
      try {
        return (await settle(id, about)) !== false;
      } catch (cause) {
        setRefusal(errorOf(cause));
        return false;
      } finally {
        await reload();
        setSettling((ids) => ids.filter((each) => each !== id));
      }
    },
    [settle, reload],
  );
  return {
    ...loaded,
    error: refusal ?? loaded.error,
    settling,
    approve: useCallback((id, scope = 'once') => answer(id, { outcome: 'approve', scope }), [answer]),
    reject: useCallback((id, note) => answer(id, { outcome: 'reject', ...(note !== undefined && { note }) }), [answer]),
    override: useCallback((id) => answer(id, { outcome: 'approve', acknowledge: true }), [answer]),
    reload,
  };
}
