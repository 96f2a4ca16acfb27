import { UpstreamError } from './failure.ts';

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/;
/** Visible ASCII, spaces and tabs: no line end, no NUL, nothing that parsers read differently. */
const VALUE = /^[\t -~]{0,8192}$/;
/** Visible ASCII, as the MCP specification requires. */
const SESSION = /^[!-~]{1,1024}$/;

/**
 * Checks that headers can be sent. A line end in a value would begin another header.
 *
 * @example
 * ```ts
 * const headers = checkedHeaders({ Authorization: 'Bearer abc' }); // { authorization: 'Bearer abc' }
 * ```
 */
export function checkedHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const checked: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (!NAME.test(name) || typeof value !== 'string' || !VALUE.test(value))
      throw new UpstreamError('header', 'A header name or value contains characters that are not allowed in headers.');
    checked[name.toLowerCase()] = value;
  }
  return checked;
}

/**
 * Checks that a text is a valid session id or event id: visible ASCII, as the MCP specification requires.
 *
 * @example
 * ```ts
 * isVisibleText('session-1'); // true
 * ```
 */
export function isVisibleText(text: string): boolean {
  return SESSION.test(text);
}
