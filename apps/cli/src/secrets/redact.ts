import { readJson } from '@sallyport/core/json';
import { redactStrings } from '@sallyport/mcp-proxy';
import { findSecrets } from './find.ts';

function removed(kind: string): string {
  return `[${kind} removed]`;
}

function withoutPlain(text: string): string {
  let output = '';
  let from = 0;
  for (const { kind, start, end } of findSecrets(text)) {
    output += text.slice(from, start) + removed(kind);
    from = end;
  }
  return from === 0 ? text : output + text.slice(from);
}

/** Long enough for the shortest secret. */
const BASE64 = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{24,}={0,2}/g;

/** A text without its secrets, also those in base64. The same text if it has none. */
export function redactSecrets(text: string): string {
  return withoutPlain(text).replace(BASE64, (encoded) => {
    const [found] = findSecrets(Buffer.from(encoded, 'base64').toString('latin1'));
    return found === undefined ? encoded : removed(found.kind);
  });
}

/** JSON without the secrets in its strings and names. The same text if it has none. */
export function redactJson(json: string): string {
  return redactStrings(readJson(json), redactSecrets);
}
