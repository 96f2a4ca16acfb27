import { UpstreamError } from '@sallyport/mcp-proxy/http';
import { describe, expect, test } from 'vitest';
import { AddressRules } from '../../src/upstream/address.ts';

/** Resolves a name to the address in its first label, which is written with dashes. */
const NAMES: Record<string, readonly string[]> = {
  'public.example': ['93.184.216.34', '2606:2800:220:1::1'],
  'local.example': ['127.0.0.1'],
  'mixed.example': ['93.184.216.34', '10.0.0.1'],
  'nothing.example': [],
};

const rulesWith = (...open: string[]): AddressRules =>
  new AddressRules({
    open,
    resolve: async (host) => {
      const found = NAMES[host];
      if (found === undefined) throw new Error('ENOTFOUND');
      return found;
    },
  });

async function outcome(rules: AddressRules, url: string): Promise<string> {
  try {
    await rules.check(url);
    return 'open';
  } catch (cause) {
    if (!UpstreamError.isInstance(cause)) throw cause;
    return cause.code;
  }
}

const CLOSED = [
  { title: 'plain http', payload: 'http://public.example/mcp' },
  { title: 'another scheme', payload: 'file:///etc/passwd' },
  { title: 'gopher', payload: 'gopher://public.example:70/' },
  { title: 'no slashes', payload: 'https:public.example' },
  { title: 'loopback', payload: 'https://127.0.0.1/' },
  { title: 'loopback, elsewhere in the network', payload: 'https://127.255.3.4/' },
  { title: 'loopback with a trailing dot', payload: 'https://127.0.0.1./' },
  { title: 'loopback as one number', payload: 'https://2130706433/' },
  { title: 'loopback in octal digits', payload: 'https://0177.0.0.1/' },
  { title: 'loopback in hexadecimal digits', payload: 'https://0x7f.0.0.1/' },
  { title: 'loopback as one hexadecimal number', payload: 'https://0x7f000001/' },
  { title: 'loopback, short', payload: 'https://127.1/' },
  { title: 'loopback in percent signs', payload: 'https://%31%32%37.0.0.1/' },
  { title: 'zero', payload: 'https://0.0.0.0/' },
  { title: 'zero, short', payload: 'https://0/' },
  { title: 'private 10', payload: 'https://10.1.2.3/' },
  { title: 'private 172', payload: 'https://172.31.255.255/' },
  { title: 'private 192', payload: 'https://192.168.0.1/' },
  { title: 'shared by carriers', payload: 'https://100.64.0.1/' },
  { title: 'link-local', payload: 'https://169.254.1.1/' },
  { title: 'metadata', payload: 'https://169.254.169.254/latest/meta-data/' },
  { title: 'metadata of Azure, which looks public', payload: 'https://168.63.129.16/' },
  { title: 'metadata of Alibaba', payload: 'https://100.100.100.200/' },
  { title: 'multicast', payload: 'https://224.0.0.1/' },
  { title: 'reserved', payload: 'https://250.1.1.1/' },
  { title: 'broadcast', payload: 'https://255.255.255.255/' },
  { title: 'benchmarks', payload: 'https://198.19.0.1/' },
  { title: 'loopback in IPv6', payload: 'https://[::1]/' },
  { title: 'unspecified in IPv6', payload: 'https://[::]/' },
  { title: 'mapped loopback', payload: 'https://[::ffff:127.0.0.1]/' },
  { title: 'mapped loopback in groups', payload: 'https://[::ffff:7f00:1]/' },
  { title: 'mapped loopback, written out', payload: 'https://[0:0:0:0:0:ffff:127.0.0.1]/' },
  { title: 'compatible loopback', payload: 'https://[::127.0.0.1]/' },
  { title: 'translated loopback', payload: 'https://[::ffff:0:127.0.0.1]/' },
  { title: 'NAT64 of loopback', payload: 'https://[64:ff9b::7f00:1]/' },
  { title: 'NAT64 of metadata', payload: 'https://[64:ff9b::a9fe:a9fe]/' },
  { title: 'NAT64 for local use', payload: 'https://[64:ff9b:1::808:808]/' },
  { title: '6to4 of loopback', payload: 'https://[2002:7f00:1::]/' },
  { title: '6to4 of something public', payload: 'https://[2002:808:808::1]/' },
  { title: 'Teredo', payload: 'https://[2001:0:4136:e378:8000:63bf:80ff:fffe]/' },
  { title: 'unique local', payload: 'https://[fd12:3456::1]/' },
  { title: 'metadata over IPv6', payload: 'https://[fd00:ec2::254]/' },
  { title: 'link-local in IPv6', payload: 'https://[fe80::1]/' },
  { title: 'site-local in IPv6', payload: 'https://[fec0::1]/' },
  { title: 'multicast in IPv6', payload: 'https://[ff02::1]/' },
  { title: 'documentation in IPv6', payload: 'https://[2001:db8::1]/' },
  { title: 'a name that leads to loopback', payload: 'https://local.example/' },
  { title: 'a name of which one address is private', payload: 'https://mixed.example/' },
  { title: 'a name with a dot behind', payload: 'https://public.example./' },
  { title: 'a user', payload: 'https://user@public.example/' },
  { title: 'a user and a password', payload: 'https://user:word@public.example/' },
  { title: 'an empty user', payload: 'https://@public.example/' },
  { title: 'a host behind a user that looks like one', payload: 'https://public.example:443@127.0.0.1/' },
  { title: 'a backslash before the real host', payload: 'https://public.example\\@127.0.0.1/' },
  { title: 'a line end in the host', payload: 'https://public\n.example/' },
  { title: 'a tab in the scheme', payload: 'ht\ttps://public.example/' },
  { title: 'blanks around', payload: ' https://public.example/ ' },
  { title: 'letters beyond ASCII', payload: 'https://\u24bbublic.example/' },
  { title: 'a port of mail', payload: 'https://public.example:25/' },
  { title: 'ssh', payload: 'https://public.example:22/' },
  { title: 'the port of http with https', payload: 'https://public.example:80/' },
  { title: 'a port of another protocol above 1023', payload: 'https://public.example:6667/' },
  { title: 'a URL of great length', payload: `https://public.example/${'a'.repeat(3000)}` },
  { title: 'nothing', payload: '' },
];

describe('refused:', () => {
  test.each(CLOSED)('$title', async ({ payload }) => {
    expect(await outcome(rulesWith(), payload)).toBe('address');
  });

  test('a name that does not resolve', async () => {
    expect(await outcome(rulesWith(), 'https://nothing.example/')).toBe('unreachable');
    expect(await outcome(rulesWith(), 'https://unknown.example/')).toBe('unreachable');
  });

  test('an address with a zone', () => {
    expect(() => rulesWith().checkAddress({ origin: 'https://a' }, 'fe80::1%eth0')).toThrow(UpstreamError);
    expect(() => rulesWith().checkAddress({ origin: 'https://a' }, 'not an address')).toThrow(UpstreamError);
  });
});

test.each([
  { title: 'a name', payload: 'https://public.example/mcp?a=b@c' },
  { title: 'a port', payload: 'https://public.example:8443/mcp' },
  { title: 'the usual port, written', payload: 'https://public.example:443/mcp' },
  { title: 'an address', payload: 'https://93.184.216.34/' },
  { title: 'an address in IPv6', payload: 'https://[2606:2800:220:1::1]/' },
  { title: 'NAT64 of something public', payload: 'https://[64:ff9b::5db8:d822]/' },
  { title: 'something public, mapped', payload: 'https://[::ffff:93.184.216.34]/' },
])('allowed: $title', async ({ payload }) => {
  expect(await outcome(rulesWith(), payload)).toBe('open');
});

test.each([
  { title: 'a network', open: '10.0.0.0/8', payload: 'https://10.1.2.3/', expected: 'open' },
  { title: 'a network, mapped', open: '10.0.0.0/8', payload: 'https://[::ffff:10.1.2.3]/', expected: 'open' },
  { title: 'not the neighbour', open: '10.0.0.0/8', payload: 'https://11.1.2.3:22/', expected: 'address' },
  { title: 'a network opens no http', open: '10.0.0.0/8', payload: 'http://10.1.2.3/', expected: 'address' },
  { title: 'a network opens no port', open: '10.0.0.0/8', payload: 'https://10.1.2.3:22/', expected: 'address' },
  { title: 'an origin', open: 'http://local.example:8080', payload: 'http://local.example:8080/mcp', expected: 'open' },
  {
    title: 'not its other port',
    open: 'http://local.example:8080',
    payload: 'http://local.example/',
    expected: 'address',
  },
  {
    title: 'not its other scheme',
    open: 'http://local.example',
    payload: 'https://local.example/',
    expected: 'address',
  },
  {
    title: 'not another host',
    open: 'http://local.example',
    payload: 'http://local.example.evil/',
    expected: 'address',
  },
  { title: 'capitals', open: 'https://LOCAL.example', payload: 'https://local.EXAMPLE/', expected: 'open' },
  { title: 'a network of IPv6', open: 'fd00::/8', payload: 'https://[fd12::1]/', expected: 'open' },
  { title: 'never metadata', open: '169.254.0.0/16', payload: 'https://169.254.169.254/', expected: 'address' },
  { title: 'never metadata over IPv6', open: 'fd00::/8', payload: 'https://[fd00:ec2::254]/', expected: 'address' },
  { title: 'not even all', open: '0.0.0.0/0', payload: 'https://[64:ff9b::a9fe:a9fe]/', expected: 'address' },
])('an exception of the operator: $title', async ({ open, payload, expected }) => {
  expect(await outcome(rulesWith(open), payload)).toBe(expected);
});

test.each(['10.0.0.0', '10.0.0.0/33', 'host/8', 'http://host/path', 'ftp://host', '::/129'])(
  'no entry of a list: %s',
  (entry) => {
    expect(() => rulesWith(entry)).toThrow(TypeError);
  },
);
