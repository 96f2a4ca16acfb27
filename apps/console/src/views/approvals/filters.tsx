import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Approval } from '../../api/types.ts';
import { visibleText } from '../../parts/visible.ts';
import { personName } from '../../parts/words/person.ts';
import { choicesOf, FILTERS } from './filter.ts';

const NAMES = { person: 'Person', server: 'Server', tool: 'Tool' } as const;

interface FiltersProps {
  readonly approvals: readonly Approval[];
}

/** Narrows the list. The choice is part of the address, so that it can be sent to others. */
export function Filters({ approvals }: FiltersProps): ReactNode {
  const filter = useSearch({ from: '/approvals' });
  const navigate = useNavigate();
  return (
    <search className="row filters">
      {FILTERS.map((name) => (
        <label key={name} className="label">
          <span>{NAMES[name]}</span>
          <select
            value={filter[name] ?? ''}
            onChange={({ target }) => {
              const { [name]: _, ...others } = filter;
              const search = target.value === '' ? others : { ...others, [name]: target.value };
              void navigate({ to: '/approvals', search, replace: true });
            }}
          >
            <option value="">All</option>
            {choicesOf(approvals, name).map((choice) => (
              <option key={choice} value={choice}>
                {visibleText(name === 'person' ? personName(choice) : choice)}
              </option>
            ))}
          </select>
        </label>
      ))}
    </search>
  );
}
