import './badge.css';
import type { ReactNode } from 'react';

export type Tone = 'good' | 'warn' | 'bad' | 'plain';

interface BadgeProps {
  readonly tone: Tone;
  readonly children: ReactNode;
}

/** A word about a state. Its colour only repeats what the word says. */
export function Badge({ tone, children }: BadgeProps): ReactNode {
  return <span className={`badge badge-${tone}`}>{children}</span>;
}
