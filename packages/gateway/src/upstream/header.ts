import { UpstreamError } from './failure.ts';

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/;
/** What can stand in a header everywhere: no line end, no NUL, nothing that two readers read differently. */
const VALUE = /^[\t -~]{0,8192}$/;
/** Of the MCP specification: visible ASCII. */
const SESSION = /^[!-~]{1,1024}$/;

/** Headers that can be sent; refused where a line end in one of them would begin another. */
export function checkedHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const checked: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (!NAME.test(name) || typeof value !== 'string' || !VALUE.test(value))
      throw new UpstreamError('header', 'A header cannot be sent: its name or value has characters that headers lack.');
    checked[name.toLowerCase()] = value;
  }
  return checked;
}

/** Whether this can be the session id or the event id of a server. */
export function isVisibleText(text: string): boolean {
  return SESSION.test(text);
}
