import { done, type EscapeCase, type Ran } from './case.ts';

/** A line of a stack names a function of the engine, or a position in the script or its environment. */
const INSIDE = /^ {4}at \S+(?: \S+)?(?: \((?:native|(?:script|guest):\d+(?::\d+)?)\))?$/;

/** The script gave back stacks, as lists of text, and they know of nothing outside. */
function isInside({ end }: Ran): boolean {
  if (end.status !== 'done') return false;
  const stacks = JSON.parse(end.output) as readonly string[];
  return (
    stacks.length > 0 && stacks.every((stack) => stack.split('\n').every((line) => line === '' || INSIDE.test(line)))
  );
}

/** Ways to have an error made, each an expression. */
const ERRORS: readonly (readonly [title: string, expression: string, calls?: readonly string[]])[] = [
  ['made', 'new Error("mine")'],
  ['of the engine', '(() => { try { null.value; } catch (error) { return error; } })()'],
  ['of a parse', '(() => { try { JSON.parse("{"); } catch (error) { return error; } })()'],
  ['of a pattern', '(() => { try { new RegExp("("); } catch (error) { return error; } })()'],
  ['of the compiler', '(() => { try { new Function("x"); } catch (error) { return error; } })()'],
  ['of the stack', '(() => { const deep = () => deep(); try { deep(); } catch (error) { return error; } })()'],
  ['of memory', '(() => { try { new Uint8Array(1e9); } catch (error) { return error; } })()'],
  [
    'of a trap',
    '(() => { try { new Proxy({}, { get() { throw new Error("trap"); } }).value; } catch (error) { return error; } })()',
  ],
  ['of base64', '(() => { try { atob("!"); } catch (error) { return error; } })()'],
  ['of a module', 'await import("fs").catch((error) => error)'],
  ['of the host', 'await fail().catch((error) => error)', ['fail []']],
  ['of an argument that is no JSON', 'await echo(1n).catch((error) => error)'],
  ['of an argument that is too long', 'await echo("x".repeat(70000)).catch((error) => error)', ['echo undefined']],
  ['of Promise.any', '(await Promise.any([fail(), fail()]).catch((error) => error))', ['fail []', 'fail []']],
];

export const STACKS: readonly EscapeCase[] = [
  ...ERRORS.map(([title, expression, calls = []]) => ({
    title: `stack of an error: ${title}`,
    payload: `const error = ${expression}; return [error.stack ?? '', ...(error.errors ?? []).map((each) => each.stack)];`,
    expected: isInside,
    calls,
  })),
  {
    title: 'stack of an error: nothing else is on one',
    payload:
      'const error = await fail().catch((error) => error); return [Object.getOwnPropertyNames(error).sort(), error.fileName, error.lineNumber, error.cause, error.message];',
    expected: done([['message'], null, null, null, 'No.']),
    calls: ['fail []'],
  },
  {
    title: 'stack of an error: without an end',
    payload:
      'Error.stackTraceLimit = Infinity; const deep = (count) => (count === 0 ? new Error("deep").stack : deep(count - 1)); return [deep(50)];',
    expected: isInside,
  },
  {
    title: 'stack of an error: captured on another object',
    payload: 'const target = {}; Error.captureStackTrace(target); return [target.stack];',
    expected: isInside,
  },
  {
    title: 'stack of an error: names of files, by prepareStackTrace',
    payload:
      'Error.prepareStackTrace = (error, sites) => sites.map((site) => site.getFileName()); return [...new Set(new Error("mine").stack)].sort();',
    expected: done(['guest', 'script']),
  },
  {
    title: 'stack of an error: a function of ours, by prepareStackTrace, called again with another name',
    payload: `Error.prepareStackTrace = (error, sites) => sites.map((site) => site.getFunction());
    const start = new Error('mine').stack.find((each) => each?.name === 'start');
    try { start(async () => 1, '["secret"]', 'null'); } catch {}
    try { secret(1); } catch {}
    return echo(1);`,
    expected: ({ end }) => end.status === 'failed' || end.output === '[1]',
  },
  {
    title: 'stack of an error: what settles calls, by a getter of then, called by the script itself',
    payload: `Error.prepareStackTrace = (error, sites) => sites.map((site) => site.getFunction());
    let settle;
    Object.defineProperty(Object.prototype, 'then', { configurable: true, get() { settle ??= new Error('mine').stack.find((each) => each?.name === 'settle'); } });
    await echo([1]);
    delete Object.prototype.then;
    const facts = [typeof settle];
    try { settle(77, true, '1'); } catch (error) { facts.push(error.name); }
    const mine = echo([2]);
    settle(1, true, '"forged"');
    facts.push(await mine);
    return facts;`,
    expected: ({ end }) => end.status === 'failed' || end.output === '["function","TypeError","forged"]',
  },
];
