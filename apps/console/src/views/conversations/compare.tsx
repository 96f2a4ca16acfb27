import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { policyHistoryQuery, policyQuery } from '../../api/queries.ts';
import type { Policy, PolicyBody } from '../../api/types.ts';

/** Another policy that a conversation is tried under. */
export interface OtherPolicy {
  readonly name: string;
  readonly body: PolicyBody;
}

const PRESETS = { strict: 'the strict table', balanced: 'the balanced table' } as const;

/** The same tools with a table as it is shipped, and the versions before the current one. */
function otherPolicies(current: Policy, history: readonly Policy[]): readonly OtherPolicy[] {
  const { table: _, preset: __, ...rest } = current.body;
  const presets = Object.entries(PRESETS).map(([preset, name]) => ({ name, body: { ...rest, preset } as PolicyBody }));
  const versions = history
    .filter(({ version }) => version !== current.version)
    .map(({ version, body }) => ({ name: `version ${version}`, body }));
  return [...presets, ...versions];
}

interface CompareProps {
  readonly other: OtherPolicy | undefined;
  readonly onOther: (other: OtherPolicy | undefined) => void;
}

/** Chooses another policy, to see what it would have decided. */
export function Compare({ other, onOther }: CompareProps): ReactNode {
  const { data: current } = useQuery(policyQuery);
  const { data: history } = useQuery(policyHistoryQuery);
  if (current === undefined || history === undefined) return null;
  const others = otherPolicies(current, history);
  return (
    <label className="row small muted">
      <span>Compare with</span>
      <select
        value={other?.name ?? ''}
        onChange={({ target }) => onOther(others.find(({ name }) => name === target.value))}
      >
        <option value="">no other policy</option>
        {others.map(({ name }) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
