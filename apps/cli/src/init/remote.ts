import type { Edit } from './config/edit.ts';
import type { LocalServer, MemberWith, RemoteServer } from './config/servers.ts';
import {
  type Member,
  memberOf,
  type Span,
  type Syntax,
  type TableNode,
  type TextNode,
  type Tree,
} from './config/tree.ts';
import { removeMember } from './unwrap.ts';
import { addList, assignment, quoted } from './wrap.ts';
import { ENTRY, HEADER, wordsOf } from './wrapper.ts';

/** The values of `type` that mean a remote server. */
const TYPES: readonly string[] = ['http', 'sse', 'streamable-http', 'streamableHttp', 'streamable_http', 'remote'];
/** The settings that contain headers. */
const HEADERS: readonly string[] = ['headers', 'http_headers'];
/** Settings of a remote server that a local one does not have, and the wrapper does not replace. */
const WITHOUT_COUNTERPART: readonly string[] = [
  ...['bearer_token_env_var', 'env_http_headers', 'headersHelper', 'requestInit', 'env', 'environment'],
  ...['auth', 'authProviderType', 'oauth', 'oauth_resource', 'scopes'],
];
const HEADER_NAME = /^[A-Za-z0-9-]{1,80}$/;

/** The settings of a remote server that change. */
interface Settings {
  readonly type: MemberWith<TextNode> | undefined;
  readonly headers: MemberWith<TableNode> | undefined;
}

/** How local servers are written in the same file. */
const styleOf = (isListed: boolean): { readonly type: string; readonly env: string } =>
  isListed ? { type: 'local', env: 'environment' } : { type: 'stdio', env: 'env' };

function textMember(table: Tree, name: string): MemberWith<TextNode> | undefined {
  const member = memberOf(table, name);
  return member?.value.type === 'text' ? (member as MemberWith<TextNode>) : undefined;
}

function tableMember(table: Tree, names: readonly string[]): MemberWith<TableNode> | undefined {
  const member = names.map((name) => memberOf(table, name)).find((each) => each !== undefined);
  return member?.value.type === 'table' ? (member as MemberWith<TableNode>) : undefined;
}

function settingsOf({ table }: { readonly table: Tree }, headers: readonly string[] = HEADERS): Settings {
  return { type: textMember(table, 'type'), headers: tableMember(table, headers) };
}

/** Why a remote server is not wrapped; undefined if it can be. */
export function remoteProblem(server: RemoteServer): string | undefined {
  const { table, address } = server;
  const text = address.value.value;
  const extra = WITHOUT_COUNTERPART.find((name) => memberOf(table, name) !== undefined);
  if (extra !== undefined) return `its setting ${extra} has no counterpart; wrap it by hand: sallyport wrap <address>`;
  if (!/^https?:\/\//i.test(text)) return 'its address does not begin with https://';
  if (/^http:/i.test(text) && !/^http:\/\/(?:localhost|127\.|\[::1\])/i.test(text))
    return 'its address is not encrypted';
  const { type, headers } = settingsOf(server);
  if (type !== undefined && !TYPES.includes(type.value.value)) return 'its type is not known';
  const isPlain = ({ name, value }: Member): boolean => HEADER_NAME.test(name) && value.type === 'text';
  return headers?.value.members.every(isPlain) === false ? 'a header is not a plain text' : undefined;
}

function variable(index: number): string {
  return `SALLYPORT_HEADER_${index + 1}`;
}

/** The words before the address. `--entry` keeps what `--undo` needs: the names of the settings, and the type. */
export function remoteWords(wrapper: readonly string[], server: RemoteServer): readonly string[] {
  const { type, headers } = settingsOf(server);
  const entry = [server.address.name, type?.value.value ?? '', headers?.name ?? ''].join(':').replace(/:+$/, '');
  const given = headers?.value.members.flatMap(({ name }, index) => [HEADER, `${name}=${variable(index)}`]) ?? [];
  return [...wrapper, ENTRY, entry, ...given];
}

/** Renames the last part of a key, and keeps its quotes and the tables before it. */
function rename(text: string, key: Span, from: string, to: string): Edit {
  const written = text.slice(key.start, key.end);
  const at = written.lastIndexOf(from);
  return { start: key.start + at, end: key.start + at + from.length, text: to };
}

function replace({ start, end }: Span, text: string): Edit {
  return { start, end, text };
}

/** The edits that make a remote server a local one, which the wrapper starts. */
export function remoteEdits(
  text: string,
  server: RemoteServer,
  words: readonly string[],
  syntax: Syntax,
): readonly Edit[] {
  const { address, isListed } = server;
  const { type, headers } = settingsOf(server);
  const style = styleOf(isListed);
  const literal = text.slice(address.value.start, address.value.end);
  const comma = /\s$/.test(assignment(text, address, syntax)) ? ', ' : ',';
  const [first = '', ...others] = words.map(quoted);
  const started = isListed
    ? [replace(address.value, `[${[first, ...others, literal].join(comma)}]`)]
    : [replace(address.value, first), addList(text, { command: address }, [...others, literal].join(comma), syntax)];
  const names = headers?.value.members.map(({ name, key }, index) => rename(text, key, name, variable(index))) ?? [];
  return [
    rename(text, address.key, address.name, 'command'),
    ...started,
    ...(type === undefined ? [] : [replace(type.value, quoted(style.type))]),
    ...(headers === undefined ? [] : [rename(text, headers.key, headers.name, style.env), ...names]),
  ];
}

/** The edits that make it a remote server again. */
export function remoteUndo(text: string, server: LocalServer, entry: string): readonly Edit[] {
  const [locator = '', type = '', headers = ''] = entry.split(':');
  const isListed = server.type === 'listed';
  const items = isListed ? server.command.value.items : (server.args?.value.items ?? []);
  const last = items.at(-1);
  if (last === undefined) return [];
  const names = wordsOf(server).flatMap((word, index, words) =>
    words[index - 1] === HEADER ? [String(word).split('=')[0] ?? ''] : [],
  );
  const found = settingsOf(server, [styleOf(isListed).env]);
  const inner = found.headers?.value.members ?? [];
  const renamed = inner.flatMap(({ name, key }) => {
    const index = names.findIndex((_, at) => variable(at) === name);
    return index < 0 ? [] : [rename(text, key, name, names[index] ?? '')];
  });
  return [
    rename(text, server.command.key, 'command', locator),
    replace(server.command.value, text.slice(last.start, last.end)),
    ...(server.type === 'started' && server.args !== undefined ? [removeMember(text, server, server.args)] : []),
    ...(type === '' || found.type === undefined ? [] : [replace(found.type.value, quoted(type))]),
    ...(headers === '' || found.headers === undefined
      ? []
      : [rename(text, found.headers.key, found.headers.name, headers), ...renamed]),
  ];
}
