/** Levels of lists and objects. Whoever reads them calls himself for each. */
const DEEPEST = 500;

/** Whether lists and objects stand in one another deeper than a host should have to read. */
export function isDeep(json: string): boolean {
  let depth = 0;
  for (const [sign] of json.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (sign === '[' || sign === '{') depth++;
    else if (sign === ']' || sign === '}') depth--;
    if (depth > DEEPEST) return true;
  }
  return false;
}
