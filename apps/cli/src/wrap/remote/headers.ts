import { checkedHeaders, UpstreamError } from '@sallyport/mcp-proxy/http';
import { CommandError, printable } from '../../terminal-text.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Headers that describe the request itself. */
const RESERVED =
  /^(?:host|connection|keep-alive|content-.*|transfer-encoding|te|trailer|upgrade|expect|accept.*|last-event-id|mcp-.*)$/;

function pairOf(option: string, text: string, separator: ':' | '='): readonly [name: string, value: string] {
  const at = text.indexOf(separator);
  const [name, value] = [text.slice(0, at).trim().toLowerCase(), text.slice(at + 1).trim()];
  // The text may contain a token, so the message does not quote it.
  if (at < 1 || value === '')
    throw new CommandError(
      `the value of option '${option}' is malformed.`,
      separator === ':' ? 'use --header "Name: value"' : 'use --header-env Name=VARIABLE',
      2,
    );
  if (RESERVED.test(name))
    throw new CommandError(`the header ${printable(name, 60)} is set by sallyport.`, `remove it from ${option}.`, 2);
  return [name, value];
}

function fromEnvironment(text: string, environment: Environment): readonly [name: string, value: string] {
  const [name, variable] = pairOf('--header-env', text, '=');
  const value = environment[variable];
  if (value === undefined || value === '')
    throw new CommandError(
      `the environment variable ${printable(variable, 60)} is not set.`,
      `set it to the value of the header ${printable(name, 60)}.`,
      2,
    );
  return [name, value];
}

/** The headers that every request to the server carries. */
export function staticHeaders(
  given: readonly string[],
  fromVariables: readonly string[],
  environment: Environment,
): Readonly<Record<string, string>> {
  const headers = Object.fromEntries([
    ...given.map((text) => pairOf('--header', text, ':')),
    ...fromVariables.map((text) => fromEnvironment(text, environment)),
  ]);
  try {
    return checkedHeaders(headers);
  } catch (cause) {
    if (!UpstreamError.isInstance(cause)) throw cause;
    throw new CommandError(
      'a header contains characters that are not allowed in headers.',
      'use visible ASCII without line breaks in --header and --header-env.',
      2,
    );
  }
}
