/** The threshold that a person thinks of raising, in the address of the view. */
export interface Raised {
  readonly server?: string;
  readonly tag?: string;
}

const NAME = /^[a-z0-9-]{1,40}$/;

export function raisedIn(search: Record<string, unknown>): Raised {
  const { server, tag } = search;
  const isName = (name: unknown): name is string => typeof name === 'string' && NAME.test(name);
  return isName(server) && isName(tag) ? { server, tag } : {};
}
