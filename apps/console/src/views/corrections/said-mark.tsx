import type { ReactNode } from 'react';
import type { Verdict } from '../../api/types.ts';
import { Badge } from '../../parts/badge.tsx';
import { WORDS } from './target.ts';

interface SaidMarkProps {
  readonly said: Verdict;
}

/** The person's verdict on a mark or a decision. */
export function SaidMark({ said }: SaidMarkProps): ReactNode {
  return <Badge tone={said === 'attack' ? 'bad' : 'good'}>You: {WORDS[said]}</Badge>;
}
