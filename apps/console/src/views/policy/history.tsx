import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { policyHistoryQuery } from '../../api/queries.ts';
import type { Policy } from '../../api/types.ts';
import { DiffView } from '../../parts/diff-view.tsx';
import { Inert } from '../../parts/inert.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { personName } from '../../parts/words/person.ts';
import { formatTime } from '../../parts/words/time.ts';
import { textOf } from './draft.ts';

interface VersionProps {
  readonly policy: Policy;
  readonly before: Policy | undefined;
  readonly onRestore: (() => void) | undefined;
}

function Version({ policy, before, onRestore }: VersionProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <li className="policy-version">
      <div className="row">
        <strong>Version {policy.version}</strong>
        <span className="muted">
          {policy.at !== undefined && formatTime(policy.at)}
          {policy.by !== undefined && (
            <>
              , by <Inert text={personName(policy.by)} />
            </>
          )}
        </span>
        <button
          type="button"
          className="button button-small"
          aria-expanded={isOpen}
          aria-label={`Changes of version ${policy.version}`}
          onClick={() => setOpen(!isOpen)}
        >
          Changes
        </button>
        {onRestore !== undefined && (
          <button
            type="button"
            className="button button-small"
            aria-label={`Restore this version: ${policy.version}`}
            onClick={onRestore}
          >
            Restore this version
          </button>
        )}
      </div>
      {isOpen && (
        <DiffView
          before={before === undefined ? '' : textOf(before.body)}
          after={textOf(policy.body)}
          label={`Changes of version ${policy.version}`}
        />
      )}
    </li>
  );
}

interface HistoryProps {
  readonly onRestore: (policy: Policy) => void;
}

/** All versions, newest first. */
export function History({ onRestore }: HistoryProps): ReactNode {
  const query = useQuery(policyHistoryQuery);
  return (
    <Loaded query={query}>
      {(policies) =>
        policies.length === 0 ? (
          <p className="muted">No policy was set yet: the preset balanced decides.</p>
        ) : (
          <ul className="panel policy-versions">
            {policies.map((policy, index) => (
              <Version
                key={policy.version}
                policy={policy}
                before={policies[index + 1]}
                onRestore={index === 0 ? undefined : () => onRestore(policy)}
              />
            ))}
          </ul>
        )
      }
    </Loaded>
  );
}
