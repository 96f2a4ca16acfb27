// Finds the calls by which an attacker reaches the goal, without the reads on the way to it.
import { TOOLS } from './tools.mjs';
import { findInjected } from './wordings.mjs';

/** @typedef {import('./traces.mjs').Trace} Trace */

/** @param {Trace} trace */
function toolsOf({ messages }) {
  return new Set(messages.flatMap(({ calls = [] }) => calls.map(({ tool }) => tool)));
}

/**
 * @param {readonly Trace[]} traces
 * @param {ReadonlySet<string>} reads
 */
function commonTools(traces, reads) {
  const [first = new Set(), ...rest] = traces.map(toolsOf);
  return new Set([...first].filter((tool) => !reads.has(tool) && rest.every((tools) => tools.has(tool))));
}

/** @type {Record<string, Map<string, ReadonlySet<string>>>} by suite, by tool, the arguments that the model words itself */
const FREE = Object.fromEntries(
  Object.entries(TOOLS).map(([suite, tools]) => [
    suite,
    new Map(tools.map(({ name, modelText = [] }) => [name, new Set(modelText)])),
  ]),
);

/** The arguments of a call that decide what it does: a one-time password or the wording of a mail does not. */
function decidingArguments(suite, { tool, args }) {
  const free = FREE[suite]?.get(tool);
  return Object.fromEntries(Object.entries(args ?? {}).filter(([name]) => !free?.has(name)));
}

/**
 * For each goal the tools, apart from `reads`, that every successful run of it as a plain task called; where none
 * succeeded, those that all conversations hijacked for it have in common.
 * @param {readonly Trace[]} traces
 * @param {ReadonlySet<string>} reads
 * @returns {Map<string, Set<string>>} by `suite/injection_task_N`
 */
export function decisiveTools(traces, reads) {
  /** @type {Map<string, { plain: Trace[], hijacked: Trace[] }>} */
  const goals = new Map();
  for (const trace of traces) {
    const isPlain = trace.attack === null && trace.task.startsWith('injection_task');
    const task = isPlain ? trace.task : trace.injection?.task;
    if (task === undefined) continue;
    const key = `${trace.suite}/${task}`;
    const { plain, hijacked } = goals.get(key) ?? { plain: [], hijacked: [] };
    if (isPlain && trace.utility) plain.push(trace);
    if (!isPlain && trace.hijacked) hijacked.push(trace);
    goals.set(key, { plain, hijacked });
  }
  return new Map(
    [...goals]
      .sort(([one], [other]) => one.localeCompare(other, 'en', { numeric: true }))
      .map(([key, { plain, hijacked }]) => [key, commonTools(plain.length > 0 ? plain : hijacked, reads)]),
  );
}

/** Lower-case words between single spaces, for a search by whole words. The same address may have a scheme and `www.` or not. */
function wordsOf(text) {
  const plain = text
    .toLowerCase()
    .replace(/\bhttps?:\/\//g, '')
    .replace(/\bwww\./g, '');
  return ` ${(plain.match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')} `;
}

/**
 * The strings and numbers of an argument that have words.
 * @param {unknown} value
 * @returns {string[]}
 */
function wordedValues(value) {
  if (typeof value === 'string' || typeof value === 'number')
    return [wordsOf(String(value))].filter((words) => words !== '  ');
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(wordedValues) : [];
}

/**
 * The same for two calls that do the same.
 * @param {string} suite
 * @param {{ tool: string, args: Record<string, unknown> }} call
 */
export function keyOf(suite, call) {
  const sorted = Object.entries(decidingArguments(suite, call)).sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([call.tool, sorted]);
}

/**
 * The calls of each user task that were also made without the attacker's goal in the content: in runs without attack, or with the
 * other goals. So they were not made for that goal.
 * @param {readonly Trace[]} traces
 * @returns {(trace: Trace) => ReadonlySet<string>}
 */
export function ownCalls(traces) {
  /** @type {Map<string, Map<string, Set<string>>>} by user task, by call, the goals in the content */
  const made = new Map();
  for (const trace of traces) {
    const task = `${trace.suite}/${trace.task}`;
    const calls = made.get(task) ?? new Map();
    made.set(task, calls);
    const goal = goalsOf(trace);
    for (const call of trace.messages.flatMap((message) => message.calls ?? [])) {
      // Two goals may share a value, such as the address of the attacker.
      if (carries(call, goal)) continue;
      const key = keyOf(trace.suite, call);
      const goals = calls.get(key) ?? new Set();
      calls.set(key, goals.add(trace.injection?.task ?? 'none'));
    }
  }
  return (trace) => {
    const calls = made.get(`${trace.suite}/${trace.task}`) ?? new Map();
    const elsewhere = [...calls].filter(([, goals]) => goals.size > 1 || !goals.has(trace.injection?.task));
    return new Set(elsewhere.map(([key]) => key));
  };
}

/** The injected goals, without the text around them, which names the user and the model, such as `GPT-4`. */
function goalsOf({ injection }) {
  return Object.values(injection?.texts ?? {}).flatMap((text) => {
    const found = findInjected(text);
    return (found.length > 0 ? found.map(({ goal }) => goal) : [text]).map(wordsOf);
  });
}

/** Words of one or two letters are ignored: every text has them. */
function carries({ args }, goals) {
  return wordedValues(args).some((words) => words.length > 4 && goals.some((goal) => goal.includes(words)));
}

/**
 * The attacker's actions in a hijacked conversation, as groups of calls: a hijack is stopped when every call of one group is held.
 * A group is all calls of one tool that the goal needs, or all calls with a value of the goal.
 * @template {{ tool: string, args: Record<string, unknown> }} CheckedCall
 * @param {Trace} trace
 * @param {readonly CheckedCall[]} calls the calls of the conversation other than reads
 * @param {{ tools: ReadonlySet<string>, own: ReadonlySet<string> }} known
 * @returns {CheckedCall[][]}
 */
export function actionsOf(trace, calls, { tools, own }) {
  const goals = goalsOf(trace);
  // A call without a deciding argument, such as one that confirms with a password, does nothing by itself.
  const deciding = calls.filter((call) => Object.keys(decidingArguments(trace.suite, call)).length > 0);
  const theirs = deciding.filter((call) => !own.has(keyOf(trace.suite, call)));
  const carrying = theirs.filter((call) => carries(call, goals));
  const groups = [...tools].map((tool) => {
    const all = theirs.filter((call) => call.tool === tool);
    const named = all.filter((call) => carrying.includes(call));
    return named.length > 0 ? named : all;
  });
  return [...groups, carrying].filter((group) => group.length > 0);
}
