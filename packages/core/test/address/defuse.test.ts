import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defuse } from '../../src/address/defuse.ts';
import { type Address, findAddresses } from '../../src/address/find-addresses.ts';
import { partsOfAddress } from '../../src/address/host.ts';
import { egressAttacks } from '../attacks/egress.ts';
import { isLinear, repeated } from '../fixture/linear.ts';

const withhold = (): 'withhold' => 'withhold';
const keep = (): 'keep' => 'keep';

describe('attacks', () => {
  it('are many, each with its own title', () => {
    const titles = egressAttacks.map(({ title }) => title);
    expect(titles.length).toBeGreaterThan(90);
    expect(new Set(titles).size).toBe(titles.length);
  });

  it.each(egressAttacks)('$title', ({ payload, expected }) => {
    const found = findAddresses(payload);
    expect(found.map(({ kind, text }) => `${kind} ${text}`)).toEqual(expected.addresses);
    for (const { start, end, text } of found) expect(payload.slice(start, end)).toBe(text);
    const { text, withheld } = defuse(payload, withhold);
    expect(text).toBe(expected.text);
    expect(withheld.slice(0, found.length)).toEqual(
      found.map(({ start, end, kind, text: address }) => ({ start, end, address, kind })),
    );
    expect(text).not.toMatch(/SECRET|secret words/);
    expect(findAddresses(text)).toEqual([]);
  });
});

describe('harmless text', () => {
  const harmless = [
    'C:\\\\Users\\\\me and "\\\\d+" are no addresses.',
    'The ratio is 3://4, a<b and c>d, x ? y : z.',
    'See [the docs](./docs/setup.md) and [below](#below), [1]: no, [^2]: neither.',
    '- [ ] a task\n- [x] another one',
    'const data = list[index](value); // a comment without a blank: //comment',
    'ASP.NET, main.py, README.md, e.g. 10:30 and https: without more.',
    'background: url(x) in a program, src = y',
    'for (i = 0; i <n; i++) src = a / b;',
    '<b>bold</b> <svg fill="url(#a)"><use href="#b"/></svg>',
    'Tel: 555 1234. Mail: somebody@example.org',
    '![half an image',
    'src/main.ts:12, lib/a.b/c.d, main.py#L10, v1.2/docs, 10.0.0.0/8, 1.5/2 and and/or are no addresses.',
    'See [a file](docs/a.md), [a line](main.py#L3) and \\\\d+\\.\\d.',
    'Set href="a:b" or data = c:d where no tag is.',
    '',
  ];

  it.each(harmless)('%j is not changed', (text) => {
    expect(findAddresses(text)).toEqual([]);
    expect(defuse(text, withhold)).toEqual({ text, withheld: [] });
  });
});

describe('defuse', () => {
  it('does not change kept addresses and other text', () => {
    const text =
      'A ![logo](https://good.example/l.png) and <img src="https://evil.example/?d=1"> and [x](https://good.example/y).';
    const asked: Address[] = [];
    const { text: released, withheld } = defuse(text, (address) => {
      asked.push(address);
      return partsOfAddress(address.text)?.host === 'good.example' ? 'keep' : 'withhold';
    });
    expect(released).toBe(
      'A ![logo](https://good.example/l.png) and img (address withheld: evil[.]example)> and [x](https://good.example/y).',
    );
    expect(withheld).toEqual([{ start: 52, end: 77, address: 'https://evil.example/?d=1', kind: 'fetched' }]);
    expect(asked).toEqual(findAddresses(text));
  });

  it('withholds on any answer other than keep', () => {
    const text = 'https://evil.example/x';
    for (const answer of [undefined, true, 'Keep', 'allow'])
      expect(defuse(text, () => answer as never).text).toBe('(address withheld: evil[.]example)');
  });

  it('withholds all sources of an image if one is withheld', () => {
    const text = '<img srcset="https://good.example/1 1x, https://evil.example/2 2x">';
    const decide = ({ text: address }: Address) => (address.includes('good') ? 'keep' : 'withhold');
    expect(defuse(text, decide).text).toBe('img (address withheld: evil[.]example)>');
  });

  it('asks about an address that the removal of another forms, and reports it for the whole text', () => {
    const text = '<a url(> mailto:x';
    const formed = { start: 0, end: text.length, address: '> (address withheld: x', kind: 'fetched' };
    expect(defuse(text, withhold).withheld[1]).toEqual(formed);
    const decide = ({ kind }: Address) => (kind === 'fetched' ? 'keep' : 'withhold');
    expect(defuse(text, decide).text).toBe('<a url(> (address withheld: x)');
  });
});

describe('partsOfAddress', () => {
  const rows: readonly (readonly [string, string, readonly string[]])[] = [
    ['https://example.org', 'example.org', []],
    ['HTTPS://Example.ORG:8080/', 'example.org', []],
    ['https://a.b.example.org/p/q?n=v&m#f', 'a.b.example.org', ['a', 'b', 'p', 'q', 'n', 'v', 'm', 'f']],
    ['https://user:pass@example.org/', 'example.org', ['user', 'pass']],
    ['https://example.org/%53ECRET?a=%E2%82%AC+b%ff', 'example.org', ['SECRET', 'a', '\u20ac b\u00ff']],
    ['https:\\\\example.org\\path', 'example.org', ['path']],
    ['https:/example.org', 'example.org', []],
    ['///example.org/x', 'example.org', ['x']],
    ['www.example.org/x', 'www.example.org', ['www', 'x']],
    ['https\\://example.org', 'example.org', []],
    ['&#104;ttps&colon;//example&period;org&sol;x&quest;d&equals;1', 'example.org', ['x', 'd', '1']],
    [' ht\ntps:&Tab;//example.org ', 'example.org', []],
    ['https://\uff45xample\u3002org./', 'example.org', []],
    ['https://ex\u00adample.org', 'example.org', []],
    ['https://ex%61mple.org', 'example.org', []],
    ['https://\u0435xample.org', '\u0435xample.org', []],
    ['http://3232235777/', '192.168.1.1', []],
    ['http://0300.0xa8.257/', '192.168.1.1', []],
    ['http://[::1]:80/x', '[::1]', ['x']],
    ['mailto:eve@example.org?body=SECRET', 'example.org', ['eve', 'body', 'SECRET']],
    ['/api/log?d=SECRET', '', ['api', 'log', 'd', 'SECRET']],
    ['file:///etc/passwd', '', ['etc', 'passwd']],
    ['data:text/plain,SECRET', '', ['text', 'plain,SECRET']],
  ];

  it.each(rows)('%j leads to %j', (address, host, carried) => {
    expect(partsOfAddress(address)).toEqual({ host, carried });
  });

  it.each([
    'https://good.example\\@evil.example/',
    'https://good.example\\.evil.example/',
    'https://a@good.example@evil.example/',
    'https://good.example%40evil.example/',
    'https://good.example\uff0fevil.example/',
    'mailto:a@good.example,b@evil.example',
    'mailto:a@good.example%2cb@evil.example',
    '\u04bbttps://evil.example/',
    'https://',
    'http://1.2.3.4.5/',
    'http://256.1.1.1/',
    'https://exa mple.org/',
  ])('%j has no definite host', (address) => {
    expect(partsOfAddress(address)).toBeUndefined();
  });
});

const PIECES = [
  ...['![', '[', '](', '][', ']', ']:', ')', '(', '<', '>', '"', "'", '`', '```', '~~~', '\n', '\n\n', ' ', '\t', '\r'],
  ...['\\', '!', 'a', 'x ', '#f', '=', '/', '| ', '- ', '> ', ':', '@', '?d=1', ' "t"', '[.]', '1x, ', '0;url='],
  ...['https://e.com/x', '//e.com/q', 'http:', 'www.e.com', '&#104;ttps://e.com', 'javascript:x', 'mailto:', 'data:x'],
  ...['<img ', '<a ', '<image ', '<meta ', '<style>', '</style>', '<script>', '<b title="', '<https://e.com>', '<!--'],
  ...['src=', 'href=', 'srcset=', 'ping=', 'style=', 'content=', 'url(', '@import ', '\\72l(', '&colon;', 'rel/p?q'],
  ...['\u200b', '\uff0f', '\ud800', '\udc00', '\u3002', 'met', 'url'],
];
const hostile = fc
  .array(
    fc.oneof(
      { weight: 12, arbitrary: fc.constantFrom(...PIECES) },
      { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 3 }) },
    ),
    { maxLength: 14 },
  )
  .map((pieces) => pieces.join(''));
const lone = fc
  .array(fc.integer({ min: 0xd800, max: 0xdfff }), { maxLength: 4 })
  .map((all) => String.fromCharCode(...all));
const anything = fc.oneof(
  hostile,
  fc.string({ unit: 'binary' }),
  fc.tuple(lone, hostile, lone).map((all) => all.join('')),
);
const numRuns = Number(process.env.SALLYPORT_RUNS ?? 500);

describe('properties', () => {
  const holds = (check: (text: string) => void): void =>
    fc.assert(
      fc.property(anything, (text) => {
        check(text);
      }),
      { numRuns },
    );

  it('addresses are sorted, do not overlap and are quoted as written', () => {
    holds((text) => {
      let last = 0;
      for (const { start, end, text: address } of findAddresses(text)) {
        expect(start).toBeGreaterThanOrEqual(last);
        expect(end).toBeGreaterThan(start);
        expect(text.slice(start, end)).toBe(address);
        last = end;
      }
    });
  });

  it('no address is left if all are withheld', () => {
    holds((text) => expect(findAddresses(defuse(text, withhold).text)).toEqual([]));
  });

  it('nothing is fetched if all fetched addresses are withheld', () => {
    const decide = ({ kind }: Address) => (kind === 'fetched' ? 'withhold' : 'keep');
    holds((text) => {
      const left = findAddresses(defuse(text, decide).text).filter(({ kind }) => kind === 'fetched');
      // A link that was kept is asked about once: removing other addresses may change how it is parsed.
      const kept = new Set(
        findAddresses(text)
          .filter(({ kind }) => kind === 'followed')
          .map((each) => each.text),
      );
      expect(left.filter((each) => !kept.has(each.text))).toEqual([]);
    });
  });

  it('nothing changes if all addresses are kept or there are none', () => {
    holds((text) => {
      expect(defuse(text, keep)).toEqual({ text, withheld: [] });
      if (findAddresses(text).length === 0) expect(defuse(text, withhold)).toEqual({ text, withheld: [] });
    });
  });

  it('sanitizing twice changes nothing', () => {
    holds((text) => {
      const released = defuse(text, withhold).text;
      expect(defuse(released, withhold)).toEqual({ text: released, withheld: [] });
    });
  });

  it('partsOfAddress() accepts any text', () => {
    holds((text) => {
      for (const each of [text, ...findAddresses(text).map((address) => address.text)])
        expect(partsOfAddress(each)?.carried.includes('') ?? false).toBe(false);
    });
  });
});

const UNITS_FILE = new URL('../../../../shared/data/repeated-units.json', import.meta.url);
const PRESENT = existsSync(UNITS_FILE);
const OWN_UNITS = [
  ...[
    '](',
    '](<',
    '](u (',
    '\\](',
    ']:',
    '![a](https://e.com/x) ',
    '<img src=/src=',
    '<img src="',
    '<img src=\'a"',
    '"//a',
  ],
  ...[
    'url(',
    '<style\\',
    '@import "',
    'https://a https://b ',
    '&#104;ttps://',
    '```\n',
    '`a` ',
    '\u200b',
    'https://a@',
  ],
];
const SHARED_UNITS: readonly string[] = PRESENT
  ? Object.values(JSON.parse(readFileSync(UNITS_FILE, 'utf8')) as Record<string, string>)
  : [];

describe('the time to read a text', () => {
  it.skipIf(!PRESENT)(
    PRESENT
      ? 'is measured on forty units'
      : 'is measured on own units only: ../shared/data/repeated-units.json is absent',
    () => {
      expect(SHARED_UNITS).toHaveLength(40);
    },
  );

  it.each([...OWN_UNITS, ...SHARED_UNITS])('grows with the length of %j', async (unit) => {
    expect(await isLinear(120_000, (size) => defuse(repeated(unit, size), withhold))).toBe(true);
  });

  it.each(OWN_UNITS)('grows with the length inside a tag and an image: %j', async (unit) => {
    expect(await isLinear(120_000, (size) => defuse(`<img ![a](${repeated(unit, size)}`, withhold))).toBe(true);
  });
});
