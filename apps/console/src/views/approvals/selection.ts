import { useEffect, useRef, useState } from 'react';
import type { Approval } from '../../api/types.ts';
import { SETTLED } from './stillness.ts';

export interface Selection {
  readonly index: number;
  select(id: string): void;
  move(by: number): void;
  /** Checks that the person had time to see the selected call. */
  isSettled(): boolean;
}

/** The selected call. It stays the same while others come and go; when it goes, its neighbour is next. */
export function useSelection(all: readonly Approval[], onMove: (index: number) => void): Selection {
  const [selected, setSelected] = useState<string | undefined>();
  const lastIndex = useRef(0);
  const since = useRef({ id: '', at: 0 });
  const found = all.findIndex(({ id }) => id === selected);
  const index = found >= 0 ? found : Math.min(lastIndex.current, all.length - 1);
  const id = all[index]?.id ?? '';
  useEffect(() => {
    lastIndex.current = Math.max(0, index);
    if (since.current.id !== id) since.current = { id, at: performance.now() };
  }, [index, id]);
  return {
    index,
    select: setSelected,
    move(by) {
      const next = Math.max(0, Math.min(all.length - 1, index + by));
      setSelected(all[next]?.id);
      onMove(next);
    },
    isSettled: () => since.current.id === id && performance.now() - since.current.at > SETTLED,
  };
}
