import type { ReactNode } from 'react';
import type { Statistics } from '../../api/types.ts';
import { formatNumber } from '../../parts/chart/chart.ts';
import { formatTime } from '../../parts/words/time.ts';

interface NotesProps {
  readonly statistics: Statistics;
}

/** How often people corrected a finding. */
export function Corrections({ statistics: { corrections } }: NotesProps): ReactNode {
  const { falseAlarms, attacks, falseAlarmRate } = corrections;
  if (falseAlarmRate === undefined) return <p className="muted">Nobody has judged a flagged text in this time.</p>;
  return (
    <p>
      Of {formatNumber(falseAlarms + attacks)} flagged texts that people judged,{' '}
      <strong>{formatNumber(100 * falseAlarmRate)} %</strong> were false alarms ({formatNumber(falseAlarms)}), and{' '}
      {formatNumber(attacks)} were attacks.
    </p>
  );
}

/** The state of the audit, without verifying it. */
export function ChainNote({ statistics: { audit } }: NotesProps): ReactNode {
  const { rows, head, signed, anchored } = audit;
  return (
    <>
      <p>
        The audit has {formatNumber(rows)} rows, the last of them number {head}.{' '}
        {signed === undefined
          ? 'None is signed yet.'
          : `They are signed up to row ${signed.seq}, since ${formatTime(signed.at)}.`}{' '}
        {anchored === undefined
          ? 'This replica keeps no head of it outside of the database.'
          : `A head is kept outside of the database up to row ${anchored}.`}
      </p>
      <p className="muted">
        Verify it in the view Audit. How long checking takes is in the metrics of the replicas, as{' '}
        <code>sallyport_request_seconds</code>.
      </p>
    </>
  );
}
