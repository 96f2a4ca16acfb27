import type { ShellCommand } from './line.ts';
import { type OptionSpec, type ReadOptions, readOptions } from './options.ts';
import { readShell } from './read.ts';
import { literal } from './word.ts';

const URL_HOST = /[a-z][a-z0-9+.-]{0,30}:\/\/([^\s/?#"'`<>|;)]+)/gi;
const DEVICE = /\/dev\/(?:tcp|udp)\/([^\s/"']+)\//gi;
/** `git@host:path` and `user@host`, where the host has a dot or a path follows. */
const REMOTE = /(?<![\w/@.+-])[\w.+-]+@([a-z0-9_](?:[\w.-]*[a-z0-9_])?)(:(?!\d+\.)|)(?![\w@])/gi;
/** `name@1.2.3` is a package. */
const VERSION = /^v?\d+(?:\.\d+){0,2}(?:[-+].*)?$/;
const HOST = /^(?:\[[0-9a-f:.]+\]|[\p{L}\p{N}_$](?:[\p{L}\p{N}_.${}-]*[\p{L}\p{N}_}])?\.?)$/iu;

interface Client extends OptionSpec {
  /** How the words after its options name hosts. @default each is a host or an address without its scheme */
  readonly operands?: 'first' | 'remote';
  /** Options of which the value names a host: it is the first part before a colon. */
  readonly hosts?: readonly string[];
  /** Options of which the value is `host:port:address`: the last is what is asked. */
  readonly targets?: readonly string[];
}

const CURL: Client = {
  short: 'A:b:c:C:d:D:e:E:F:h:H:K:m:o:P:Q:r:t:T:u:U:w:x:X:y:Y:z:',
  long:
    'data= data-raw= data-binary= data-urlencode= json= form= form-string= header= output= request= user= ' +
    'user-agent= referer= cookie= cookie-jar= upload-file= write-out= url= max-time= connect-timeout= ' +
    'retry= retry-delay= proxy= proxy-user= cacert= cert= key= config= dump-header= output-dir= resolve= ' +
    'connect-to= interface= range= max-redirs= limit-rate= oauth2-bearer= preproxy= socks5= ' +
    'socks5-hostname= doh-url= netrc-file=',
  isLenient: true,
  hosts: ['-x', '--proxy', '--preproxy', '--socks5', '--socks5-hostname', '--url', '--doh-url'],
  targets: ['--resolve', '--connect-to'],
};
const WGET: Client = {
  short: 'a:B:D:e:i:I:l:o:O:P:Q:R:t:T:U:w:X:',
  long:
    'header= post-data= post-file= body-data= body-file= method= output-document= directory-prefix= user= ' +
    'password= user-agent= referer= timeout= tries=',
  isLenient: true,
};
const SSH_OPTIONS = 'B:b:c:D:E:e:F:I:i:J:L:l:m:O:o:P:p:Q:R:S:W:w:X:';
const SSH: Client = { short: SSH_OPTIONS, isLenient: true, operands: 'first', hosts: ['-J', '-W'] };
const COPY: Client = { short: SSH_OPTIONS, isLenient: true, operands: 'remote', hosts: ['-J'] };
const SOCKET: Client = {
  short: 'e:c:g:G:i:I:m:M:O:o:p:P:q:s:T:V:w:W:X:x:',
  isLenient: true,
  operands: 'first',
  hosts: ['-x'],
};
const LOOKUP: Client = { short: 'b:c:f:I:i:k:m:p:q:s:t:W:w:y:', isLenient: true };
const DATABASE: Client = {
  short: 'h:U:u:p:P:d:D:',
  long: 'host=',
  isLenient: true,
  operands: 'remote',
  hosts: ['-h', '--host'],
};

/** Programs that connect to what their words name. */
const CLIENTS: ReadonlyMap<string, Client> = new Map<string, Client>([
  ['curl', CURL],
  ['wget', WGET],
  ['ssh', SSH],
  ['sftp', SSH],
  ['ssh-copy-id', SSH],
  ['scp', COPY],
  ['rsync', { ...COPY, short: 'e:f:B:M:T:' }],
  ['git', { isLenient: true, operands: 'remote' }],
  ...['nc', 'ncat', 'netcat', 'telnet', 'ftp'].map((name) => [name, SOCKET] as const),
  ...['ping', 'ping6', 'traceroute', 'dig', 'nslookup', 'host', 'whois', 'mtr'].map((name) => [name, LOOKUP] as const),
  ...['psql', 'pg_dump', 'mysql', 'mysqldump', 'redis-cli', 'mongosh'].map((name) => [name, DATABASE] as const),
]);

/** The host of an authority: without user and port. */
function hostOf(authority: string): string {
  const place = authority.slice(authority.lastIndexOf('@') + 1);
  const host = /^\[[^\]]*\]/.exec(place)?.[0] ?? place.replace(/:.*$/s, '');
  return host.toLowerCase().replace(/\.$/, '');
}

/** The host of a word that is an address without its scheme. */
function bareHost(word: string): string {
  return word.includes('://') ? '' : hostOf(word.replace(/^@/, '').replace(/[/?#].*$/s, ''));
}

function hostsOfOptions({ hosts = [], targets = [] }: Client, { values }: ReadOptions): readonly string[] {
  return values.flatMap(([name, { text = '' } = {}]) => {
    if (hosts.includes(name)) return text.split(',').map(bareHost);
    return targets.includes(name) ? text.split(':') : [];
  });
}

function hostsOfCommand({ program, words }: ShellCommand): readonly string[] {
  const client = CLIENTS.get(program);
  if (client === undefined) return [];
  const found: string[] = [];
  // Most of these take options after other words as well.
  for (let given = words.map(literal); given.length > 0; ) {
    const options = readOptions(given, client);
    found.push(...hostsOfOptions(client, options));
    const [operand] = options.rest;
    const isRead = client.operands !== 'first' || given.length === words.length;
    if (operand !== undefined && isRead) found.push(operandHost(operand.text, client.operands));
    given = options.rest.slice(1);
  }
  return found.filter((host) => !/^\d{1,5}$/.test(host) && HOST.test(host));
}

function operandHost(word: string, operands: Client['operands']): string {
  if (operands !== 'remote') return bareHost(word);
  // `c:/x` is a folder of Windows.
  return /^[^/:\\]{2,}:/.test(word) ? bareHost(word) : '';
}

/** The two hosts that readers of an address disagree on where it has a backslash. */
function hostsOfUrl(authority: string): readonly string[] {
  return [...authority.split('\\'), ...(authority.includes('\\') ? [authority] : [])].map(hostOf);
}

/** The hosts that a text names: in URLs, in remotes such as `git@host:path`, and in the words of programs that connect to them. */
export function hostsIn(text: string): readonly string[] {
  const urls = [...text.matchAll(URL_HOST)].flatMap(([, authority = '']) => hostsOfUrl(authority));
  const devices = [...text.matchAll(DEVICE)].map(([, host = '']) => hostOf(host));
  const remotes = [...text.matchAll(REMOTE)].flatMap(([, host = '', colon]) =>
    !VERSION.test(host) && (host.includes('.') || colon !== '') ? [host.toLowerCase()] : [],
  );
  const named = readShell(text).commands.flatMap(hostsOfCommand);
  return [...new Set([...urls, ...devices, ...remotes, ...named])].filter((host) => host !== '');
}
