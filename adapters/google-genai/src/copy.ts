function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** A copy of a JSON value. Reads each member once. Not recursive, because a model may nest arguments to any depth. */
export function copyOf(root: unknown): unknown {
  const copies = new Map<object, object>();
  const left: object[] = [];
  const copied = (value: unknown): unknown => {
    if (!isObject(value)) return value;
    const existing = copies.get(value);
    if (existing !== undefined) return existing;
    const copy = Array.isArray(value) ? [] : {};
    copies.set(value, copy);
    left.push(value);
    return copy;
  };
  const result = copied(root);
  for (let from = left.pop(); from !== undefined; from = left.pop()) {
    const to = copies.get(from) as object;
    // An assignment to a member named __proto__ would change the prototype.
    for (const [name, value] of Object.entries(from))
      Object.defineProperty(to, name, { value: copied(value), writable: true, enumerable: true, configurable: true });
  }
  return result;
}
