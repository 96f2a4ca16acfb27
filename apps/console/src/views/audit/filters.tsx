import { useNavigate, useSearch } from '@tanstack/react-router';
import type { FormEvent, ReactNode } from 'react';
import { type AuditFilter, auditFilterIn, OUTCOMES, TYPES } from './filter.ts';

const TEXTS = { person: 'Person', server: 'Server', tool: 'Tool', rule: 'Rule' } as const;
const DAYS = { from: 'From', to: 'To' } as const;
const CHOICES = { outcome: { name: 'Outcome', values: OUTCOMES }, type: { name: 'Type', values: TYPES } } as const;

function namesOf<Table extends object>(table: Table): readonly (keyof Table)[] {
  return Object.keys(table) as (keyof Table)[];
}

/** Says what is searched for. It is part of the address, so that it can be sent to others. */
export function Filters(): ReactNode {
  // The router adds what is in the address besides.
  const filter = auditFilterIn(useSearch({ from: '/audit' }));
  const navigate = useNavigate();
  const search = (next: AuditFilter): void => void navigate({ to: '/audit', search: next });
  const onSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    search(auditFilterIn(Object.fromEntries(new FormData(event.currentTarget))));
  };
  return (
    // A new form for each search, so that it shows what was searched for.
    <form key={JSON.stringify(filter)} className="panel audit-filters" onSubmit={onSubmit}>
      {namesOf(TEXTS).map((name) => (
        <label key={name} className="label">
          <span>{TEXTS[name]}</span>
          <input type="text" name={name} defaultValue={filter[name] ?? ''} maxLength={2000} />
        </label>
      ))}
      {namesOf(CHOICES).map((name) => (
        <label key={name} className="label">
          <span>{CHOICES[name].name}</span>
          <select name={name} defaultValue={filter[name] ?? ''}>
            <option value="">All</option>
            {CHOICES[name].values.map((value) => (
              <option key={value} value={value}>
                {value}
              </option>
            ))}
          </select>
        </label>
      ))}
      {namesOf(DAYS).map((name) => (
        <label key={name} className="label">
          <span>{DAYS[name]}</span>
          <input type="date" name={name} defaultValue={filter[name] ?? ''} />
        </label>
      ))}
      <div className="row">
        <button type="submit" className="button button-main">
          Search
        </button>
        {Object.keys(filter).length > 0 && (
          <button type="button" className="button button-plain" onClick={() => search({})}>
            Clear
          </button>
        )}
      </div>
    </form>
  );
}
