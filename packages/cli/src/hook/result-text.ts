/** The strings and numbers in a value, in order. The names of fields are the host's own. */
function* leavesOf(root: unknown): Generator<string> {
  const left: unknown[] = [root];
  for (let next = left.pop(); left.length > 0 || next !== undefined; next = left.pop()) {
    if (typeof next === 'string') yield next;
    else if (typeof next === 'number') yield String(next);
    else if (typeof next === 'object' && next !== null)
      for (const each of Object.values(next).reverse()) left.push(each);
  }
}

/** What a tool returned, as one text: hosts wrap it in objects of their own. */
export function resultText(result: unknown): string {
  return [...leavesOf(result)].join('\n').toWellFormed();
}
