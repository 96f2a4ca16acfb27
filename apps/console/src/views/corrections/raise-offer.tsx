import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { mayUse, useMe } from '../../api/identity.ts';
import { correctionsQuery } from '../../api/queries.ts';
import { Inert } from '../../parts/inert.tsx';
import { alarmsOf, NEEDED } from './alarms.ts';

interface RaiseOfferProps {
  readonly server: string;
  readonly tag: string;
}

/** Says how many false alarms there are, and offers to raise the threshold when they are enough. */
export function RaiseOffer({ server, tag }: RaiseOfferProps): ReactNode {
  const { data = [] } = useQuery(correctionsQuery);
  const maySet = mayUse(useMe(), ['policy']);
  const alarms = alarmsOf(data, server, tag);
  if (alarms < NEEDED)
    return (
      <p className="small muted">
        {alarms} of {NEEDED} false alarms with different texts, after which the threshold of <Inert text={tag} /> for{' '}
        <Inert text={server} /> can be raised.
      </p>
    );
  if (!maySet)
    return <p className="small muted">These are enough false alarms: a person with the scope policy can raise it.</p>;
  return (
    <p>
      <Link to="/corrections" search={{ server, tag }} className="button button-main">
        <span>
          Raise the threshold of <Inert text={tag} /> for <Inert text={server} />
        </span>
      </Link>
    </p>
  );
}
