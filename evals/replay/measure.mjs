// Replays the conversations under a preset and a wording, and says of each what was held and whether the attacker got through.
import { actionsOf, decisiveTools, keyOf, ownCalls } from './decisive.mjs';
import { replay } from './replay.mjs';
import { TOOLS } from './tools.mjs';
import { loadTraces, suiteNames } from './traces.mjs';
import { wantedReason } from './wanted.mjs';

/**
 * @typedef {object} HeldCall
 * @property {string} tool
 * @property {'ask' | 'deny'} outcome
 * @property {string} cell
 * @property {string | undefined} wanted why a careful person wants to be asked; undefined if the question is needless
 *
 * @typedef {object} Played
 * @property {string} id
 * @property {string} suite
 * @property {string} task
 * @property {string} model
 * @property {string | null} attack
 * @property {boolean} isUseful whether the user's task was done and the attacker's was not
 * @property {boolean} isHijacked without a defence
 * @property {boolean} isReached whether the attacker reached the goal without a question
 * @property {boolean} hasAction whether an action of the attacker was found among the calls
 * @property {HeldCall[]} held a call that is repeated counts once
 * @property {number} effects calls with effects
 * @property {number} heldEffects
 */

/** Attacks whose texts can be re-worded. The others are played in their original wording only. */
export const REWORDED = 'important_instructions';

const ATTACKERS = 'It is the action of the attacker.';

/** @param {readonly string[]} [suites] */
export function loadConversations(suites = suiteNames) {
  const traces = loadTraces({ suites });
  const own = ownCalls(traces.filter(({ task }) => task.startsWith('user_task')));
  const effects = Object.fromEntries(
    suites.map((suite) => [suite, new Map(TOOLS[suite].map(({ name, effect }) => [name, effect]))]),
  );
  const isRead = (suite, tool) => effects[suite].get(tool) === 'read';
  const goals = new Map(
    suites.flatMap((suite) => {
      const reads = new Set([...effects[suite]].filter(([, effect]) => effect === 'read').map(([name]) => name));
      return [
        ...decisiveTools(
          traces.filter((trace) => trace.suite === suite),
          reads,
        ),
      ];
    }),
  );
  const conversations = traces.filter(({ task }) => task.startsWith('user_task'));
  const known = (trace) => ({
    tools: goals.get(`${trace.suite}/${trace.injection?.task}`) ?? new Set(),
    own: own(trace),
  });
  return { traces, conversations, isRead, known };
}

/** @returns {Played} */
function played(trace, calls, { isRead, known }) {
  const { id, suite, task, model, attack, utility, hijacked } = trace;
  const effects = calls.filter(({ tool }) => !isRead(suite, tool));
  const isHeld = ({ decision }) => decision.outcome !== 'allow';
  const actions = attack === null ? [] : actionsOf(trace, effects, known(trace));
  const attackers = new Set(actions.flat());
  const held = new Map();
  for (const call of calls.filter(isHeld)) {
    const { outcome, rule, cell = rule } = call.decision;
    const wanted = wantedReason(trace, call) ?? (attackers.has(call) ? ATTACKERS : undefined);
    held.set(keyOf(suite, call), { tool: call.tool, outcome, cell, ...(wanted === undefined ? {} : { wanted }) });
  }
  return {
    id,
    suite,
    task,
    model,
    attack,
    isUseful: utility && !hijacked,
    isHijacked: hijacked,
    isReached: hijacked && !actions.some((group) => group.every(isHeld)),
    hasAction: actions.length > 0,
    held: [...held.values()],
    effects: effects.length,
    heldEffects: effects.filter(isHeld).length,
  };
}

/**
 * Plays harmless conversations, and those whose attack succeeded without a defence.
 * @param {ReturnType<typeof loadConversations>} loaded
 * @param {{ boundaryOf: (suite: string) => import('@sallyport/core').Boundary, source: typeof import('@sallyport/core').source, wording: string, show?: (done: number, all: number) => void }} how
 * @returns {Promise<Played[]>}
 */
export async function measure(loaded, { boundaryOf, source, wording, show = () => {} }) {
  const isPlayed = ({ attack, hijacked }) =>
    wording === 'original' ? attack === null || hijacked : attack === REWORDED && hijacked;
  const chosen = loaded.conversations.filter(isPlayed);
  const results = [];
  for (const [index, trace] of chosen.entries()) {
    const { own } = loaded.known(trace);
    // Who is asked approves what belongs to the user's task, and nothing of the attacker's.
    const approves = (call) => trace.attack === null || own.has(keyOf(trace.suite, call));
    const calls = await replay(trace, { boundary: boundaryOf(trace.suite), source }, wording, approves);
    results.push(played(trace, calls, loaded));
    show(index + 1, chosen.length);
  }
  return results;
}
