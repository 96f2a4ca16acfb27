import type { ReactNode } from 'react';

const HOURS = { 1: 'the last hour', 24: 'the last day', 168: 'the last week', 720: 'the last 30 days' } as const;

interface HoursSelectProps {
  readonly hours: number;
  readonly onHours: (hours: number) => void;
}

/** Chooses whose calls are judged again: those of the last hours. */
export function HoursSelect({ hours, onHours }: HoursSelectProps): ReactNode {
  return (
    <label className="row">
      <span>Try it on the calls of</span>
      <select value={hours} onChange={({ target }) => onHours(Number(target.value))}>
        {Object.entries(HOURS).map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
