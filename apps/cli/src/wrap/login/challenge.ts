/** A server's request for a login. */
export interface Challenge {
  readonly metadata: URL | undefined;
  readonly scope: string | undefined;
}

const MAX_LENGTH = 4096;
/** RFC 6749: visible ASCII without quotes and backslashes. */
const SCOPE = /^[!#-[\]-~]+(?: [!#-[\]-~]+)*$/;

function fieldOf(text: string, name: string): string | undefined {
  const found = new RegExp(`(?:^|[\\s,])${name}=(?:"([^"]*)"|([^\\s,"]+))`, 'i').exec(text);
  return found?.[1] ?? found?.[2];
}

/** Reads a `WWW-Authenticate` header. A server may send to metadata of its own origin only. */
export function readChallenge(text: string, server: URL): Challenge {
  const known = text.slice(0, MAX_LENGTH);
  const address = fieldOf(known, 'resource_metadata') ?? '';
  const metadata = URL.canParse(address) ? new URL(address) : undefined;
  const scope = fieldOf(known, 'scope');
  return {
    metadata: metadata?.origin === server.origin ? metadata : undefined,
    scope: scope !== undefined && SCOPE.test(scope) ? scope : undefined,
  };
}
