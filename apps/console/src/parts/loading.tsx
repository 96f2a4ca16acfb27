import type { ReactNode } from 'react';

/** Appears only if an answer takes longer than usual, so that nothing flickers. */
export function Loading(): ReactNode {
  return (
    <div className="loading" role="status">
      <span aria-hidden="true" />
      <span aria-hidden="true" />
      <span aria-hidden="true" />
      <div className="hidden-text">Loading</div>
    </div>
  );
}
