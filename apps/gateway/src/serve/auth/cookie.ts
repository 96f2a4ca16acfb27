import type { HonoRequest } from 'hono';

/** The session of a person who has logged in. Browsers keep such a name for this host, its root path and secure connections alone. */
export const SESSION_COOKIE = '__Host-sallyport-session';

const MAX_COOKIE_LENGTH = 4096;

/** The value of a cookie. Undefined if it is absent, too long, or there twice. */
export function cookieIn(header: string | undefined, name: string): string | undefined {
  const found = (header ?? '').split(';').flatMap((pair) => {
    const [key = '', ...rest] = pair.trim().split('=');
    return key === name ? [rest.join('=')] : [];
  });
  const [value = ''] = found;
  return found.length === 1 && value !== '' && value.length <= MAX_COOKIE_LENGTH ? value : undefined;
}

/** The secret of a person's session in a request. */
export function sessionIn(request: HonoRequest): string | undefined {
  return cookieIn(request.header('cookie'), SESSION_COOKIE);
}

/** A `Set-Cookie` header that scripts cannot read and other sites cannot send along, except when a person follows a link. */
export function cookieText(name: string, value: string, seconds: number): string {
  return `${name}=${value}; Path=/; Max-Age=${seconds}; Secure; HttpOnly; SameSite=Lax`;
}

/** Checks that a request for a change comes from a page of the gateway. Browsers send the cookie for any page. */
export function isFromOwnPage(request: HonoRequest, ownOrigin: string): boolean {
  const origin = request.header('origin');
  return origin === undefined ? request.header('sec-fetch-site') === 'same-origin' : origin === ownOrigin;
}
