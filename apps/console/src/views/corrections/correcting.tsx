import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import type { Verdict } from '../../api/types.ts';
import { keyOf, type Target } from './target.ts';
import { VerdictDialog } from './verdict-dialog.tsx';

interface CorrectingValue {
  /** The person's verdict in this visit; otherwise their earlier one. */
  said(target: Target): Verdict | undefined;
  open(target: Target): void;
}

const Context = createContext<CorrectingValue | undefined>(undefined);

/** How to correct what is shown. Undefined where that is not possible, as in a file. */
export function useCorrecting(): CorrectingValue | undefined {
  return useContext(Context);
}

interface CorrectingProps {
  /** The conversation that is shown. */
  readonly id: string;
  readonly children: ReactNode;
}

/** Lets a person say of what is inside that it was harmless or an attack. */
export function Correcting({ id, children }: CorrectingProps): ReactNode {
  const [told, setTold] = useState<ReadonlyMap<string, Verdict>>(new Map());
  const [target, setTarget] = useState<Target | undefined>();
  const value = useMemo<CorrectingValue>(
    () => ({
      said: (each) => told.get(keyOf(each)) ?? (each.type === 'text' ? undefined : each.said),
      open: setTarget,
    }),
    [told],
  );
  return (
    <Context value={value}>
      {children}
      {target !== undefined && (
        <VerdictDialog
          id={id}
          target={target}
          said={value.said(target)}
          onTold={(given) => setTold((known) => new Map(known).set(keyOf(given.target), given.verdict))}
          onClose={() => setTarget(undefined)}
        />
      )}
    </Context>
  );
}
