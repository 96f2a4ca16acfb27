/**
 * The key of a private member of a tool. It is a symbol, and the SDK's two builds (ES modules and CommonJS) have different ones,
 * so it is found by its description.
 */
export function symbolOf(tool: object, description: string): symbol | undefined {
  return Object.getOwnPropertySymbols(tool).find((key) => key.description === description);
}

/** A copy with some members replaced. It keeps symbol keys and the class, which the SDK uses. */
export function withMembers<T extends object>(holder: T, members: object): T {
  const all = { ...Object.getOwnPropertyDescriptors(holder), ...Object.getOwnPropertyDescriptors(members) };
  return Object.create(Object.getPrototypeOf(holder), all) as T;
}
