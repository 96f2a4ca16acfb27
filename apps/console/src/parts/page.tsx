import './page.css';
import { type ReactNode, useEffect } from 'react';
import { Inert } from './inert.tsx';

interface PageProps {
  readonly title: string;
  /** The page's subject, under the name that others gave it. */
  readonly name?: string | undefined;
  /** One sentence about what the page is for. */
  readonly about: string;
  /** Shown next to the title. */
  readonly actions?: ReactNode;
  /** Links to pages that belong together, shown below the title. */
  readonly tabs?: ReactNode;
  readonly children: ReactNode;
}

/** One view: its title, and what is in it. */
export function Page({ title, name, about, actions, tabs, children }: PageProps): ReactNode {
  useEffect(() => {
    document.title = `${title} \u00b7 Sallyport`;
  }, [title]);
  return (
    <>
      <header className="page-head">
        <div>
          <h1>
            {title}
            {name !== undefined && (
              <>
                {' '}
                <Inert text={name} />
              </>
            )}
          </h1>
          <p className="muted">{about}</p>
        </div>
        {actions !== undefined && <div className="row">{actions}</div>}
        {tabs}
      </header>
      {children}
    </>
  );
}
