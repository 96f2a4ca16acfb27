import { type ListNode, type Member, memberOf, type TableNode, type TextNode, type Tree } from './tree.ts';

/** The tables in which clients keep their servers. A star matches every name: Claude Code keeps servers per project. */
export const SERVER_TABLES: {
  readonly plain: readonly string[];
  readonly perProject: readonly string[];
  readonly vscode: readonly string[];
  readonly vscodeSettings: readonly string[];
  readonly codex: readonly string[];
} = {
  plain: ['mcpServers'],
  perProject: ['projects', '*', 'mcpServers'],
  vscode: ['servers'],
  vscodeSettings: ['mcp', 'servers'],
  codex: ['mcp_servers'],
};

/** A member whose value has a known type. */
export type MemberWith<T extends Tree> = Omit<Member, 'value'> & { readonly value: T };

export interface StartedServer {
  readonly type: 'started';
  readonly name: string;
  readonly table: TableNode;
  readonly command: MemberWith<TextNode>;
  /** Undefined and an empty list mean the same, but are edited differently. */
  readonly args: MemberWith<ListNode> | undefined;
  readonly project: string | undefined;
}

interface OtherServer {
  readonly type: 'other';
  readonly name: string;
  readonly table: Tree;
  readonly reason: string;
  readonly project: string | undefined;
}

export type Server = StartedServer | OtherServer;

const REMOTE = 'a remote server has no command to wrap; start it with a command such as npx -y mcp-remote <address>';
const LOCATORS: readonly string[] = ['url', 'serverUrl', 'httpUrl'];

function serverFrom({ name, value: table }: Member, project: string | undefined): Server {
  const other = (reason: string): Server => ({ type: 'other', name, table, reason, project });
  if (table.type !== 'table') return other('its value is not a table');
  const command = memberOf(table, 'command');
  const args = memberOf(table, 'args');
  if (!command) return other(LOCATORS.some((key) => memberOf(table, key)) ? REMOTE : 'it has no command');
  if (command.value.type !== 'text') return other('its command is not a string');
  if (args && args.value.type !== 'list') return other('its args is not a list');
  return {
    type: 'started',
    name,
    table,
    command: command as MemberWith<TextNode>,
    args: args as MemberWith<ListNode> | undefined,
    project,
  };
}

function tablesAt(
  tree: Tree,
  path: readonly string[],
  project?: string,
): readonly (readonly [Tree, string | undefined])[] {
  const [step, ...rest] = path;
  if (step === undefined) return [[tree, project]];
  if (step === '*')
    return tree.type === 'table' ? tree.members.flatMap(({ name, value }) => tablesAt(value, rest, name)) : [];
  const member = memberOf(tree, step);
  return member ? tablesAt(member.value, rest, project) : [];
}

/** Every server of a configuration, in the order of the file's tables. */
export function findServers(root: Tree, paths: readonly (readonly string[])[]): readonly Server[] {
  return paths
    .flatMap((path) => tablesAt(root, path))
    .flatMap(([table, project]) =>
      table.type === 'table' ? table.members.map((member) => serverFrom(member, project)) : [],
    );
}
