import type { ReactNode } from 'react';

const KEYS: readonly (readonly [string, string])[] = [
  ['j', 'next'],
  ['k', 'previous'],
  ['a', 'approve'],
  ['l', 'approve for longer'],
  ['r', 'reject'],
];

export function KeyHelp(): ReactNode {
  return (
    <p className="key-help small muted">
      {KEYS.map(([key, what]) => (
        <span key={key}>
          <kbd className="key">{key}</kbd> {what}
        </span>
      ))}
    </p>
  );
}
