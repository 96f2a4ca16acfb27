import './page.css';
import { type ReactNode, useEffect } from 'react';

interface PageProps {
  readonly title: string;
  /** One sentence about what the page is for. */
  readonly about: string;
  /** Shown next to the title. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** One view: its title, and what is in it. */
export function Page({ title, about, actions, children }: PageProps): ReactNode {
  useEffect(() => {
    document.title = `${title} \u00b7 Sallyport`;
  }, [title]);
  return (
    <>
      <header className="page-head">
        <div>
          <h1>{title}</h1>
          <p className="muted">{about}</p>
        </div>
        {actions !== undefined && <div className="row">{actions}</div>}
      </header>
      {children}
    </>
  );
}
