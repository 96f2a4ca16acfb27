function isHolder(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** A copy of JSON, every member read once. With a list of what is left to do: a model may nest as deep as it likes. */
export function copyOf(root: unknown): unknown {
  const copies = new Map<object, object>();
  const left: object[] = [];
  const copied = (value: unknown): unknown => {
    if (!isHolder(value)) return value;
    const known = copies.get(value);
    if (known !== undefined) return known;
    const copy = Array.isArray(value) ? [] : {};
    copies.set(value, copy);
    left.push(value);
    return copy;
  };
  const result = copied(root);
  for (let from = left.pop(); from !== undefined; from = left.pop()) {
    const to = copies.get(from) as object;
    // Assigned, a member of the name __proto__ would change what the object is.
    for (const [name, value] of Object.entries(from))
      Object.defineProperty(to, name, { value: copied(value), writable: true, enumerable: true, configurable: true });
  }
  return result;
}
