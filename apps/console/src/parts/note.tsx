import type { ReactNode } from 'react';

interface NoteProps {
  readonly title: string;
  readonly children?: ReactNode;
}

/** Says that there is nothing to show, and why. */
export function EmptyNote({ title, children }: NoteProps): ReactNode {
  return (
    <div className="panel note note-empty">
      <h2>{title}</h2>
      {children !== undefined && <div className="muted">{children}</div>}
    </div>
  );
}
