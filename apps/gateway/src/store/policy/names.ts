import { similarTo } from '@sallyport/core/adapter';
import type { Transaction } from '../database.ts';
import { StoreError } from '../errors.ts';
import type { PolicyBody } from './body.ts';

/** A server or a tool that a policy names, and where. */
interface Named {
  readonly place: string;
  readonly server: string;
  readonly tool?: string;
}

/** The tools by server. A server whose tools were never listed has none. */
type KnownNames = ReadonlyMap<string, readonly string[]>;

function toolsIn(lists: { readonly [list in 'allow' | 'hide']?: readonly string[] }): readonly string[] {
  return [...(lists.allow ?? []), ...(lists.hide ?? [])].filter((name) => !name.includes('*'));
}

function namedIn({ servers = {}, groups = {} }: PolicyBody): readonly Named[] {
  const named: Named[] = [];
  const add = (place: string, server: string, tools: readonly string[]): void => {
    named.push({ place, server }, ...tools.map((tool) => ({ place: `${place}.${server}`, server, tool })));
  };
  for (const [server, policy] of Object.entries(servers))
    add('servers', server, [...Object.keys(policy.tools ?? {}), ...toolsIn(policy)]);
  for (const [group, { servers: listed = {} }] of Object.entries(groups))
    for (const [server, lists] of Object.entries(listed)) add(`groups.${group}.servers`, server, toolsIn(lists));
  return named;
}

async function namesIn(sql: Transaction, workspace: string): Promise<KnownNames> {
  const rows = await sql<{ server: string; tool: string | null }[]>`
    select servers.name as server, pins.name as tool from servers left join pins
      on pins.workspace_id = servers.workspace_id and pins.server = servers.name and pins.kind = 'tool'
      where servers.workspace_id = ${workspace}`;
  const known = new Map<string, string[]>();
  for (const { server, tool } of rows) {
    const tools = known.get(server) ?? [];
    known.set(server, tools);
    if (tool !== null) tools.push(String(JSON.parse(tool)));
  }
  return known;
}

/** The error in a name, and the name that may be meant. */
function problemWith({ place, server, tool }: Named, known: KnownNames): string | undefined {
  const tools = known.get(server);
  // Tools that were never listed cannot be compared with anything.
  const isKnown =
    tool === undefined ? tools !== undefined : tools === undefined || tools.length === 0 || tools.includes(tool);
  if (isKnown) return undefined;
  const [what, name, names] = tool === undefined ? ['server', server, [...known.keys()]] : ['tool', tool, tools ?? []];
  const similar = similarTo(name, names);
  return `${place} names the unknown ${what} ${name}${similar === undefined ? '' : `, did you mean ${similar}?`}`;
}

/** Refuses servers and tools that the workspace does not have, unless the policy that is replaced names them too. */
export async function checkNames(
  sql: Transaction,
  workspace: string,
  body: PolicyBody,
  replaced: PolicyBody,
): Promise<void> {
  const keyOf = ({ server, tool }: Named): string => JSON.stringify([server, tool ?? null]);
  const before = new Set(namedIn(replaced).map(keyOf));
  const added = namedIn(body).filter((each) => !before.has(keyOf(each)));
  const known = await namesIn(sql, workspace);
  const problems = new Set(added.flatMap((each) => problemWith(each, known) ?? []));
  if (problems.size > 0)
    throw new StoreError(
      'invalid',
      `${[...problems].slice(0, 10).join('; ')}: correct the names, or allow unknown ones if they come later.`,
    );
}
