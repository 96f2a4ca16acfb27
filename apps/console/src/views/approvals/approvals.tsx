import './approvals.css';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { approvalsQuery } from '../../api/queries.ts';
import type { Approval } from '../../api/types.ts';
import { Failure } from '../../parts/failure.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { EmptyNote } from '../../parts/note.tsx';
import { useNow } from '../../parts/now.ts';
import { Page } from '../../parts/page.tsx';
import { type GivenAnswer, useAnswer } from './answer.ts';
import { filtered } from './filter.ts';
import { Filters } from './filters.tsx';
import { KeyHelp } from './key-help.tsx';
import { List } from './list.tsx';
import { Tabs } from './records/tabs.tsx';

function Held({
  all,
  onAnswer,
}: {
  readonly all: readonly Approval[];
  readonly onAnswer: (answer: GivenAnswer) => void;
}) {
  const now = useNow();
  const filter = useSearch({ from: '/approvals' });
  const waiting = all.filter(({ until }) => Date.parse(until) > now);
  const shown = filtered(waiting, filter);
  if (waiting.length === 0)
    return <EmptyNote title="Nothing waits for you">Held calls appear here as soon as they are made.</EmptyNote>;
  return (
    <>
      <div className="approvals-bar">
        <Filters approvals={waiting} />
        <KeyHelp />
      </div>
      {shown.length === 0 ? (
        <EmptyNote title="Nothing matches the filter">{waiting.length} other calls wait.</EmptyNote>
      ) : (
        <List approvals={shown} onAnswer={onAnswer} />
      )}
    </>
  );
}

function wordFor({ answer, scope }: GivenAnswer): string {
  if (answer === 'denied') return 'Rejected.';
  return scope === undefined ? 'Approved.' : 'Approved for longer.';
}

/** The calls that wait for an answer. */
export function Approvals(): ReactNode {
  const query = useQuery(approvalsQuery);
  const [said, setSaid] = useState('');
  const { answer, error, reset } = useAnswer((given) => setSaid(wordFor(given)));
  const onAnswer = (given: GivenAnswer): void => {
    setSaid('');
    answer(given);
  };
  return (
    <Page
      title="Approvals"
      about="Calls that agents want to make, perhaps because of words that others wrote. You decide."
      tabs={<Tabs />}
    >
      {error !== null && <Failure cause={error} onRetry={reset} />}
      <p className="approvals-said" role="status">
        {said}
      </p>
      <Loaded query={query}>{(all) => <Held all={all} onAnswer={onAnswer} />}</Loaded>
    </Page>
  );
}
