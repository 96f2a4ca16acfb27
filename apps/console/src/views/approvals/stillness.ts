import { useLayoutEffect, useRef } from 'react';

/** Milliseconds in which a click or a key may still be meant for what was there before. */
export const SETTLED = 500;

/**
 * Says whether the list has not moved for a moment. When a call leaves it, the next one takes its place below the pointer, and the
 * second half of a double click would approve that one. Calls that are added at the end move nothing.
 */
export function useStillness(ids: readonly string[]): () => boolean {
  const known = useRef<readonly string[]>([]);
  const movedAt = useRef(Number.NEGATIVE_INFINITY);
  useLayoutEffect(() => {
    if (known.current.some((id, index) => ids[index] !== id)) movedAt.current = performance.now();
    known.current = ids;
  }, [ids]);
  return () => performance.now() - movedAt.current > SETTLED;
}
