import type { ReactNode } from 'react';
import { useNow } from '../../parts/now.ts';
import { formatLeft } from '../../parts/words/time.ts';

const SOON = 60_000;

interface CountdownProps {
  readonly until: string;
}

/** How long an answer is still accepted. */
export function Countdown({ until }: CountdownProps): ReactNode {
  const left = Date.parse(until) - useNow();
  return (
    <span className={left < SOON ? 'countdown countdown-soon' : 'countdown'}>
      {left <= 0 ? 'expired' : `${formatLeft(left)} left`}
    </span>
  );
}
