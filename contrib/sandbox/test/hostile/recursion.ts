import type { LimitCase } from './case.ts';

/** Scripts that go deeper than the stack. */
const DEEP: readonly (readonly [title: string, payload: string])[] = [
  ['a function', 'const deep = () => deep() + 1; return deep();'],
  ['two functions', 'function one() { return two() + 1; } function two() { return one() + 1; } return one();'],
  ['a getter', 'const object = { get value() { return this.value; } }; return object.value;'],
  ['a constructor', 'class Deep { constructor() { this.inner = new Deep(); } } return new Deep();'],
  ['toString', 'const object = { toString() { return "" + object; } }; return "" + object;'],
  ['toJSON', 'const object = { toJSON() { return JSON.stringify(object); } }; return object;'],
  ['a trap', 'const proxy = new Proxy({}, { get: (target, key, receiver) => receiver[key] }); return proxy.value;'],
  [
    'a proxy that is its own prototype',
    'const proxy = new Proxy({}, {}); Object.setPrototypeOf(proxy, Object.create(proxy)); return proxy.value;',
  ],
  [
    'proxies around proxies',
    'let inner = {}; for (let depth = 0; depth < 50000; depth++) inner = new Proxy(inner, {}); return inner.value;',
  ],
  [
    'bound functions',
    'let bound = () => 1; for (let depth = 0; depth < 50000; depth++) bound = Object.defineProperty(bound.bind(null), "name", { value: "" }); return bound();',
  ],
  ['generators', 'function* deep() { yield* deep(); } return [...deep()];'],
  ['asynchronous functions', 'const deep = async () => { await deep(); }; await deep();'],
  ['Reflect.apply', 'const deep = () => Reflect.apply(deep, null, []); return deep();'],
  ['Reflect.construct', 'function Deep() { return Reflect.construct(Deep, []); } return new Deep();'],
  ['a comparator', 'const deep = () => [2, 1].sort(deep); return deep();'],
  ['a callback of replace', 'const deep = () => "a".replace(/a/, deep); return deep();'],
  [
    'Symbol.hasInstance',
    'const deep = { [Symbol.hasInstance](value) { return value instanceof deep; } }; return 1 instanceof deep;',
  ],
  ['Symbol.toPrimitive', 'const deep = { [Symbol.toPrimitive]() { return +deep; } }; return +deep;'],
  [
    'a list that holds itself, as text',
    'const list = []; list[0] = { toString: () => list.join() }; return list.join();',
  ],
  ['JSON.parse', 'return JSON.parse("[".repeat(1e5) + "]".repeat(1e5));'],
  ['a reviver', 'const deep = (key, value) => JSON.parse("[1]", deep); return JSON.parse("[1]", deep);'],
  ['flat', 'let list = []; for (let depth = 0; depth < 50000; depth++) list = [list]; return list.flat(Infinity);'],
  ['calls of the host on the way down', 'const deep = () => { echo(1); return deep(); }; return deep();'],
];

/** Sources that only the compiler has to go down into. */
const NESTED: readonly (readonly [title: string, open: string, close: string])[] = [
  ['lists', '[', ']'],
  ['parentheses', '(', ')'],
  ['minus signs', '- ', ''],
  ['conditions', '1?', ':1'],
  ['templates', '`${', '}`'],
  ['calls', 'String(', ')'],
  ['bodies', '(()=>{return ', '})()'],
  ['powers', '2**', ''],
  ['classes', '(class{[', ']})'],
  ['optional chains', '0?.[', ']'],
];

function nested(open: string, close: string): string {
  const depth = Math.floor(60_000 / (open.length + close.length));
  return `return ${open.repeat(depth)}1${close.repeat(depth)}`;
}

export const RECURSION: readonly LimitCase[] = [
  ...DEEP.map(([title, payload]) => ({
    title: `stack: ${title}`,
    payload,
    expected: 'stack' as const,
    limits: { calls: 2000 },
  })),
  ...NESTED.map(([title, open, close]) => ({
    title: `stack: source of ${title}`,
    payload: nested(open, close),
    expected: 'stack' as const,
  })),
  {
    title: 'stack: source of blocks',
    payload: `${'{'.repeat(30_000)}${'}'.repeat(30_000)}`,
    expected: 'stack',
  },
  { title: 'stack: source of functions', payload: nested('(()=>', ')'), expected: ['stack', 'syntax'] },
  { title: 'stack: source of objects', payload: nested('({a:', '})'), expected: ['stack', 'syntax'] },
  {
    title: 'stack: what is given back',
    payload: 'let list = []; for (let depth = 0; depth < 5000; depth++) list = [list]; return echo(list);',
    expected: 'threw',
  },
  {
    title: 'stack: source of groups of a regular expression',
    payload: `return /${'(?:'.repeat(12_000)}a${')'.repeat(12_000)}/.test('a')`,
    expected: ['stack', 'syntax'],
  },
  {
    title: 'stack: groups of a regular expression',
    payload: 'return new RegExp("(?:".repeat(1e5) + ")".repeat(1e5)).test("a");',
    expected: 'threw',
  },
  {
    title: 'stack: a rope that hangs to one side, made flat',
    payload:
      'let text = "x".repeat(9000); for (let depth = 0; depth < 1000; depth++) text = text + "y"; let other = "x".repeat(9000); for (let depth = 0; depth < 1000; depth++) other = "y" + other; return text.length + other.length + text.indexOf("z") + other.indexOf("z");',
    expected: 'done',
  },
  {
    title: 'stack: a promise that is resolved by a promise, many times over',
    payload:
      'let last = Promise.resolve(1); for (let depth = 0; depth < 20000; depth++) { const before = last; last = new Promise((resolve) => resolve(before)); } return last;',
    expected: 'done',
  },
  {
    title: 'stack: a long chain of prototypes',
    payload:
      'let object = {}; for (let depth = 0; depth < 100000; depth++) object = Object.create(object); return object.missing === undefined;',
    expected: 'done',
  },
];
