/** The name of a field as programs have them. */
const PLAIN_NAME = /^[\w$-]{1,64}$/;

/** The texts in a list or an object. Plain names of fields are the host's own; any other is text too. */
function membersOf(value: object): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return Object.entries(value).flatMap(([name, each]) => (PLAIN_NAME.test(name) ? [each] : [name, each]));
}

/** The strings and numbers in a value, in order. */
function* leavesOf(root: unknown): Generator<string> {
  const left: unknown[] = [root];
  for (let next = left.pop(); left.length > 0 || next !== undefined; next = left.pop()) {
    if (typeof next === 'string') yield next;
    else if (typeof next === 'number') yield String(next);
    else if (typeof next === 'object' && next !== null)
      for (const each of [...membersOf(next)].reverse()) left.push(each);
  }
}

/** The result of a tool as one text: hosts wrap it in objects of their own. */
export function resultText(result: unknown): string {
  return [...leavesOf(result)].join('\n').toWellFormed();
}

/** A result with another text in place of its longest one, in the shape that the host gave it. */
export function withText(result: unknown, text: string): unknown {
  const longest = [...leavesOf(result)].reduce((one, other) => (other.length > one.length ? other : one), '');
  let isDone = false;
  const replaced = (value: unknown): unknown => {
    if (!isDone && value === longest) {
      isDone = true;
      return text;
    }
    if (Array.isArray(value)) return value.map(replaced);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, replaced(each)]));
  };
  return replaced(result);
}
