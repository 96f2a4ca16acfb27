/**
 * The key under which the SDK keeps a member of a tool. It is a symbol of its own, and another one in each of its two builds, for
 * ES modules and for CommonJS: so it is looked for by its description.
 */
export function symbolOf(tool: object, description: string): symbol | undefined {
  return Object.getOwnPropertySymbols(tool).find((key) => key.description === description);
}

/** A copy with other members: the SDK keeps some under symbols, and knows some by their class. */
export function withMembers<T extends object>(holder: T, members: object): T {
  const all = { ...Object.getOwnPropertyDescriptors(holder), ...Object.getOwnPropertyDescriptors(members) };
  return Object.create(Object.getPrototypeOf(holder), all) as T;
}
