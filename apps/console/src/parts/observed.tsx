import './observed.css';
import type { ReactNode } from 'react';
import type { Statistics } from '../api/types.ts';
import { formatNumber } from './chart/chart.ts';

interface ObservedProps {
  readonly total: Pick<Statistics['total'], 'calls' | 'wouldAsk' | 'wouldDeny'>;
}

/** The calls that a policy would have held if it did not only observe. Empty if there were none in this time. */
export function Observed({ total: { calls, wouldAsk, wouldDeny } }: ObservedProps): ReactNode {
  if (wouldAsk + wouldDeny === 0) return null;
  return (
    <p className="observed">
      While the policy only observed, it would have asked about {formatNumber(wouldAsk)} of {formatNumber(calls)} calls
      and denied {formatNumber(wouldDeny)}. They were made.
    </p>
  );
}
