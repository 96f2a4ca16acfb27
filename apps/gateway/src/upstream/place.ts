import { type JsonRange, membersAt, startOfJson } from '@sallyport/core/json';
import { caseless } from '@sallyport/mcp-proxy';

/**
 * The value of a named member of the object at a position. Throws if two members have the name, or if one differs from it
 * only in case: some readers take the first, some the last, and some ignore case, so the id we replace might not be the
 * one that the server reads.
 */
function memberAt(text: string, at: number, name: string): JsonRange | undefined {
  let found: JsonRange | undefined;
  for (const member of membersAt(text, at)) {
    if (caseless(member.name) !== caseless(name)) continue;
    if (found !== undefined || member.name !== name) throw new TypeError(`More than one member is called ${name}.`);
    found = member.value;
  }
  return found;
}

/** The range of the value at a path of names, in text that JSON.parse accepts. */
export function placeAt(text: string, ...path: readonly string[]): JsonRange | undefined {
  let place: JsonRange | undefined = { start: startOfJson(text), end: text.length };
  for (const name of path) place = place === undefined ? undefined : memberAt(text, place.start, name);
  return place;
}

/** The JSON at a path of names; undefined where there is none. */
export function jsonAt(text: string, ...path: readonly string[]): string | undefined {
  const place = placeAt(text, ...path);
  return place === undefined ? undefined : text.slice(place.start, place.end);
}

/** Puts JSON in the place of the value at a path, where there is one. All else stays, byte for byte. */
export function replacedAt(text: string, json: string, ...path: readonly string[]): string {
  const place = placeAt(text, ...path);
  return place === undefined ? text : text.slice(0, place.start) + json + text.slice(place.end);
}
