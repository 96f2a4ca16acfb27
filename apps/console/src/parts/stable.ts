import { useMemo, useRef } from 'react';

type Handlers = Readonly<Record<string, (...args: never[]) => void>>;

/** Handlers that stay the same objects and call the latest ones, so that parts of the page that get them are not drawn again. */
export function useStable<T extends { readonly [Name in keyof T]: (...args: never[]) => void }>(latest: T): T {
  const current = useRef(latest);
  current.current = latest;
  return useMemo(() => {
    const names = Object.keys(current.current) as (keyof T)[];
    const calls = names.map((name) => [
      name,
      (...args: never[]) => (current.current as Handlers)[name as string]?.(...args),
    ]);
    return Object.fromEntries(calls) as T;
  }, []);
}
