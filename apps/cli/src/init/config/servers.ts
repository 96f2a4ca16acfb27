import { type ListNode, type Member, memberOf, type TableNode, type TextNode, type Tree } from './tree.ts';

/** The tables in which clients keep their servers. A star matches every name: Claude Code keeps servers per project. */
export const SERVER_TABLES: {
  readonly plain: readonly string[];
  readonly perProject: readonly string[];
  readonly vscode: readonly string[];
  readonly vscodeSettings: readonly string[];
  readonly codex: readonly string[];
  readonly zed: readonly string[];
  readonly opencode: readonly string[];
} = {
  plain: ['mcpServers'],
  perProject: ['projects', '*', 'mcpServers'],
  vscode: ['servers'],
  vscodeSettings: ['mcp', 'servers'],
  codex: ['mcp_servers'],
  zed: ['context_servers'],
  opencode: ['mcp'],
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

/** A server whose command and arguments are one list, as in opencode. */
export interface ListedServer {
  readonly type: 'listed';
  readonly name: string;
  readonly table: TableNode;
  readonly command: MemberWith<ListNode>;
  readonly project: string | undefined;
}

/** A server that the client starts by a command. */
export type LocalServer = StartedServer | ListedServer;

/** A server that the client reaches at an address. */
export interface RemoteServer {
  readonly type: 'remote';
  readonly name: string;
  readonly table: TableNode;
  readonly address: MemberWith<TextNode>;
  /** Set if the client's local servers have their command and arguments in one list, as in opencode. */
  readonly isListed: boolean;
  readonly project: string | undefined;
}

interface OtherServer {
  readonly type: 'other';
  readonly name: string;
  readonly table: Tree;
  readonly reason: string;
  readonly project: string | undefined;
}

export type Server = LocalServer | RemoteServer | OtherServer;

/** The settings in which clients keep the address of a server, the preferred one first. */
const LOCATORS: readonly string[] = ['httpUrl', 'url', 'serverUrl'];

function serverFrom({ name, value: table }: Member, project: string | undefined, isListed: boolean): Server {
  const other = (reason: string): Server => ({ type: 'other', name, table, reason, project });
  if (table.type !== 'table') return other('its value is not a table');
  const command = memberOf(table, 'command');
  const args = memberOf(table, 'args');
  if (!command) {
    const address = LOCATORS.map((key) => memberOf(table, key)).find((member) => member?.value.type === 'text');
    if (address === undefined) return other('it has no command');
    return { type: 'remote', name, table, address: address as MemberWith<TextNode>, isListed, project };
  }
  if (isListed && command.value.type === 'list')
    return { type: 'listed', name, table, command: command as MemberWith<ListNode>, project };
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

/** Recognizes opencode's table of servers, whose second version has a table `servers` in it. */
function isOpencode([first]: readonly string[]): boolean {
  return first === SERVER_TABLES.opencode[0];
}

/** Every server of a configuration, in the order of the file's tables. */
export function findServers(root: Tree, paths: readonly (readonly string[])[]): readonly Server[] {
  return paths.flatMap((path) => {
    const isServer = ({ name }: Member): boolean => path.length > 1 || !isOpencode(path) || name !== 'servers';
    return tablesAt(root, path).flatMap(([table, project]) =>
      table.type === 'table'
        ? table.members.filter(isServer).map((member) => serverFrom(member, project, isOpencode(path)))
        : [],
    );
  });
}
