/** Maximum nesting of lists and objects. Readers recurse once for each level. */
const MAX_DEPTH = 500;

/** Recognizes JSON that nests deeper than a host should have to read. */
export function isDeep(json: string): boolean {
  let depth = 0;
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (token === '[' || token === '{') depth++;
    else if (token === ']' || token === '}') depth--;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}
