import { createContext, useContext } from 'react';
import type { Me, Scope } from './types.ts';

export const Identity = createContext<Me | undefined>(undefined);

/** The person who is logged in. All views are shown to such a person only. */
export function useMe(): Me {
  const me = useContext(Identity);
  if (me === undefined) throw new Error('A view was shown without a login.');
  return me;
}

/** Checks that a person has one of these scopes. An empty list admits all. */
export function mayUse(me: Me, scopes: readonly Scope[]): boolean {
  return scopes.length === 0 || scopes.some((scope) => me.scopes.includes(scope));
}
