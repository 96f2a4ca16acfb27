import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { client, read } from '../../api/client.ts';
import { pinsQuery } from '../../api/queries.ts';
import type { HeldPin } from '../../api/types.ts';
import { Badge } from '../../parts/badge.tsx';
import { DiffView } from '../../parts/diff-view.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Inert } from '../../parts/inert.tsx';
import { personName } from '../../parts/words/person.ts';
import { formatTime } from '../../parts/words/time.ts';
import { heldOf, textsOf, whyHeld } from './held.ts';

type Answer = 'accept' | 'reject';

function useAnswer({ server, digest }: HeldPin) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (answer: Answer) =>
      read(client.POST(`/api/v1/pins/{server}/${answer}`, { params: { path: { server } }, body: { digest } })),
    onSettled: () => queries.invalidateQueries({ queryKey: pinsQuery.queryKey }),
  });
}

interface PinCardProps {
  readonly pin: HeldPin;
}

/** A definition that waits for a person, with what is different in it. */
export function PinCard({ pin }: PinCardProps): ReactNode {
  const held = heldOf(pin);
  const texts = textsOf(held);
  const { mutate, isPending, error } = useAnswer(pin);
  const name = held.type === 'instructions' ? 'Instructions' : held.tool;
  return (
    <li className="panel pin">
      <div className="pin-head">
        <h3>
          <Inert text={name} /> <span className="muted">of</span> <Inert text={pin.server} />
        </h3>
        <span className="row small muted">
          <Badge tone={pin.rejectedBy === undefined ? 'warn' : 'bad'}>
            {pin.rejectedBy === undefined ? 'waits' : 'rejected'}
          </Badge>
          {formatTime(pin.at)}
        </span>
      </div>
      <p>
        <Inert text={whyHeld(held)} />
      </p>
      {texts !== undefined && (
        <DiffView
          {...texts}
          label={`What changes in ${held.type === 'instructions' ? 'the instructions' : 'the definition'}`}
        />
      )}
      {error !== null && <Failure cause={error} />}
      <div className="row">
        <button type="button" className="button button-main" disabled={isPending} onClick={() => mutate('accept')}>
          Accept
        </button>
        {pin.rejectedBy === undefined ? (
          <button type="button" className="button button-bad" disabled={isPending} onClick={() => mutate('reject')}>
            Reject
          </button>
        ) : (
          <span className="small muted">
            Rejected by <Inert text={personName(pin.rejectedBy)} />
          </span>
        )}
      </div>
    </li>
  );
}
