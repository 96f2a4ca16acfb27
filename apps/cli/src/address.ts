import { CommandError, printable } from './terminal-text.ts';

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

export function isLoopback({ hostname }: { readonly hostname: string }): boolean {
  return LOOPBACK.test(hostname) || hostname.endsWith('.localhost');
}

/** Recognizes the address of a server in a command line that could also name a program. */
export function isAddress(word: string | undefined): boolean {
  return /^https?:\/\//i.test(word ?? '');
}

/** The URL of a server. Plain http is for this machine only, because a token would be readable on the way. */
export function serverAddress(text: string): URL {
  if (!URL.canParse(text))
    throw new CommandError(
      `not a valid URL: ${printable(text, 60)}`,
      'give an address such as https://example.com/mcp',
      2,
    );
  const url = new URL(text);
  if (url.username !== '' || url.password !== '')
    throw new CommandError(
      'the URL contains a user or a password.',
      'pass them with --header-env, for example: --header-env Authorization=MY_TOKEN',
      2,
    );
  if (url.protocol !== 'https:' && !isLoopback(url))
    throw new CommandError(
      `${url.origin} is not encrypted.`,
      'use https; plain http works for servers on this machine only.',
      2,
    );
  url.hash = '';
  return url;
}

/** The address without its query, which may contain a key. It names the login and is shown in messages. */
export function loginName({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}

/** The command that logs in, to be copied into a shell. */
export function loginCommand(url: URL): string {
  const name = loginName(url);
  return `sallyport login ${/^[\w:/.-]+$/.test(name) ? name : `'${name.replaceAll("'", '%27')}'`}`;
}
