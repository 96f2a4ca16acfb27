import './not-logged-in.css';
import type { ReactNode } from 'react';

/** Leads to the organisation's login, and back to the page that was asked for. */
export function NotLoggedIn(): ReactNode {
  const to = `${location.pathname}${location.search}`;
  return (
    <main className="not-logged-in">
      <img src="/console/mark.svg" alt="" width="56" height="56" />
      <h1>Sallyport</h1>
      <p className="muted">See whose words became which action, and decide.</p>
      <a className="button button-main" href={`/login?to=${encodeURIComponent(to)}`}>
        Log in
      </a>
    </main>
  );
}
