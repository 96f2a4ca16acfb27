/** What every object of this process shares. */
const SHARED: Readonly<Record<string, object>> = {
  globalThis,
  Object,
  'Object.prototype': Object.prototype,
  Array,
  'Array.prototype': Array.prototype,
  'Function.prototype': Function.prototype,
  'Promise.prototype': Promise.prototype,
  'String.prototype': String.prototype,
  'Error.prototype': Error.prototype,
  JSON,
};

/** What Node itself adds when it first loads its client for HTTP, which a message of a thread can cause. */
function isOfNode(key: string | symbol): boolean {
  return typeof key === 'symbol' && key.description?.startsWith('undici.globalDispatcher') === true;
}

/** The own keys of the objects that this whole process shares, and their functions. */
export class HostState {
  readonly #before = new Map(
    Object.entries(SHARED).map(([name, object]) => [name, Object.getOwnPropertyDescriptors(object)]),
  );

  /** What has been changed since. */
  changes(): string[] {
    return Object.entries(SHARED).flatMap(([name, object]) => {
      const before = this.#before.get(name) ?? {};
      const after = Object.getOwnPropertyDescriptors(object);
      const keys = new Set([...Reflect.ownKeys(before), ...Reflect.ownKeys(after)]);
      return [...keys]
        .filter((key) => !isOfNode(key) && !Object.is(Reflect.get(before, key)?.value, Reflect.get(after, key)?.value))
        .map((key) => `${name}.${String(key)}`);
    });
  }
}
