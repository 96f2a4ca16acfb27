import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { UpstreamError } from '@sallyport/mcp-proxy/http';

/** All addresses of a host. */
export type Resolve = (host: string) => Promise<readonly string[]>;

export interface AddressOptions {
  /**
   * Exceptions that the operator allows. `10.1.0.0/16`: the addresses of a network, over https. `https://host:port` or
   * `http://host:port`: exactly that origin, whatever address it resolves to.
   * @default []
   */
  readonly open?: readonly string[];
  /** Resolves host names. @default the system's resolver */
  readonly resolve?: Resolve;
}

const MAX_URL_LENGTH = 2048;
const URL_TEXT = /^https?:\/\/((?:[!-.0-~](?<![?#\\]))+)(?:[/?#](?:[!-~](?<!\\))*)?$/;

/** Loopback, private, link-local, shared, documentation, benchmarks, multicast, reserved: RFC 6890 and its registry. */
const CLOSED_V4 =
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4';
/** Of IPv6 only global unicast is public, except Teredo and related protocols, documentation, and 6to4. */
const GLOBAL_V6 = '2000::/3';
const CLOSED_V6 = '2001::/23 2001:db8::/32 2002::/16 3fff::/20';
/** Endpoints where clouds hand out credentials (AWS and others, ECS, Azure, Alibaba, Oracle, AWS over IPv6). They stay closed even in an allowed network. */
const METADATA =
  '169.254.169.254/32 169.254.170.2/32 169.254.170.23/32 168.63.129.16/32 100.100.100.200/32 192.0.0.192/32 fd00:ec2::254/128 fd00:ec2::23/128';
/** Ports above 1023 that https://fetch.spec.whatwg.org/#port-blocking blocks, because other protocols use them. */
const CLOSED_PORTS = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6';
}

function addNetwork(list: BlockList, network: string): void {
  const [address = '', bits = ''] = network.split('/');
  const most = isIP(address) === 4 ? 32 : 128;
  if (isIP(address) === 0 || !/^\d{1,3}$/.test(bits) || Number(bits) > most)
    throw new TypeError(
      `A network must be a CIDR range, such as 10.1.0.0/16 or fd00:1::/32; received ${JSON.stringify(network)}.`,
    );
  list.addSubnet(address, Number(bits), familyOf(address));
}

function listOf(networks: string): BlockList {
  const list = new BlockList();
  for (const network of networks.split(' ')) addNetwork(list, network);
  return list;
}

const closedV4 = listOf(CLOSED_V4);
const globalV6 = listOf(GLOBAL_V6);
const closedV6 = listOf(CLOSED_V6);
const metadata = listOf(METADATA);

/** The eight groups of an IPv6 address in any notation. */
function groupsOf(address: string): number[] {
  const [before = [], after] = new URL(`http://[${address}]/`).hostname
    .slice(1, -1)
    .split('::')
    .map((side) => (side === '' ? [] : side.split(':')));
  const zeros = after === undefined ? [] : Array<string>(8 - before.length - after.length).fill('0');
  return [...before, ...zeros, ...(after ?? [])].map((group) => Number.parseInt(group, 16));
}

/** The effective address: IPv6 can contain an IPv4 address, mapped (::ffff:0:0/96) or for NAT64 (64:ff9b::/96). */
function plainAddress(address: string): string {
  if (isIP(address) === 4) return address;
  const groups = groupsOf(address);
  const prefix = groups.slice(0, 6).join(' ');
  if (prefix !== '0 0 0 0 0 65535' && prefix !== '100 65435 0 0 0 0') return address;
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 255])
    .join('.');
}

function isPublic(address: string): boolean {
  const family = familyOf(address);
  if (family === 'ipv4') return !closedV4.check(address, family);
  return globalV6.check(address, family) && !closedV6.check(address, family);
}

/** The host of a URL, an IPv6 address without its brackets. */
export function hostOf({ hostname }: { readonly hostname: string }): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

function isUsualPort({ protocol, port }: URL): boolean {
  if (port === '') return true;
  return Number(port) > 1023 ? !CLOSED_PORTS.has(Number(port)) : Number(port) === (protocol === 'https:' ? 443 : 80);
}

async function systemResolve(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address);
}

/** The addresses that the gateway may connect to. A server's URL is chosen by a user, who must not reach the gateway's own network (SSRF). */
export class AddressRules {
  readonly #networks = new BlockList();
  readonly #origins = new Set<string>();
  readonly #resolve: Resolve;

  constructor({ open = [], resolve = systemResolve }: AddressOptions = {}) {
    this.#resolve = resolve;
    for (const entry of open) {
      if (!/^https?:\/\//.test(entry)) addNetwork(this.#networks, entry);
      else if (new URL(entry).href === `${new URL(entry).origin}/`) this.#origins.add(new URL(entry).origin);
      else throw new TypeError(`An origin must have the form http://host:8080; received ${JSON.stringify(entry)}.`);
    }
  }

  /** Checks a URL without resolving its host. */
  checkUrl(text: string): URL {
    // The URL parser drops tabs and line ends, and treats backslashes as slashes; other parsers do not.
    const authority = text.length > MAX_URL_LENGTH ? undefined : URL_TEXT.exec(text)?.[1];
    if (authority === undefined || !URL.canParse(text))
      throw new UpstreamError('address', 'The URL is not valid: it must have the form https://host/mcp.');
    if (authority.includes('@'))
      throw new UpstreamError('address', 'The URL must not contain a user or password: set them as credentials.');
    const url = new URL(text);
    if (url.hostname.endsWith('.')) throw new UpstreamError('address', 'The host must not end with a dot.');
    if (this.#origins.has(url.origin)) return url;
    if (url.protocol !== 'https:')
      throw new UpstreamError('address', 'The URL must use https, unless the operator allows the origin for http.');
    if (!isUsualPort(url))
      throw new UpstreamError('address', 'The port is blocked: the operator can allow the origin.');
    if (isIP(hostOf(url)) !== 0) this.checkAddress(url, hostOf(url));
    return url;
  }

  /** Checks one address that a URL's host resolves to. */
  checkAddress({ origin }: { readonly origin: string }, address: string): void {
    const plain = isIP(address) === 0 || address.includes('%') ? undefined : plainAddress(address);
    if (plain === undefined || metadata.check(plain, familyOf(plain)) || !this.#isOpen(origin, plain))
      throw new UpstreamError(
        'address',
        'The host resolves to an address that is not public: the operator can allow its network or the origin.',
      );
  }

  /** The addresses to connect to. If one of them is not allowed, all are refused. */
  async addressesOf(url: { readonly origin: string; readonly hostname: string }): Promise<readonly string[]> {
    const host = hostOf(url);
    const addresses = isIP(host) === 0 ? await this.#resolved(host) : [host];
    for (const address of addresses) this.checkAddress(url, address);
    return addresses;
  }

  /** Checks a URL that is being registered. Its host may resolve differently later, so each connection checks again. */
  async check(text: string): Promise<void> {
    await this.addressesOf(this.checkUrl(text));
  }

  #isOpen(origin: string, address: string): boolean {
    return this.#origins.has(origin) || this.#networks.check(address, familyOf(address)) || isPublic(address);
  }

  async #resolved(host: string): Promise<readonly string[]> {
    let addresses: readonly string[];
    try {
      addresses = await this.#resolve(host);
    } catch (cause) {
      throw new UpstreamError('unreachable', 'The host name cannot be resolved: check that it is right.', cause);
    }
    if (addresses.length > 0) return addresses;
    throw new UpstreamError('unreachable', 'The host name cannot be resolved: check that it is right.');
  }
}
