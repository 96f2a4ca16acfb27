// The recorded conversations of AgentDyn under a preset, in their original wording and with re-worded attacks.

import { declaredFor } from '../replay/effects.mjs';
import { authorizeTask } from '../replay/labels.mjs';
import { loadConversations, measure } from '../replay/measure.mjs';
import { byTask, isReal, listed, metricsOf, percent } from '../replay/metrics.mjs';
import { TOOLS } from '../replay/tools.mjs';
import { suiteNames } from '../replay/traces.mjs';
import { WORDINGS } from '../replay/wordings.mjs';

/** Choices were made on this suite. The others were read as well since, so no figure of this set is of unseen data. */
export const TUNED_ON = 'shopping';

/** `strict` for people who trust the documents, people and hosts that they name themselves. */
export const NAMED = Object.fromEntries(
  ['fetch', 'write', 'send', 'configure'].map((effect) => [
    effect,
    { asked: { named: 'allow' }, 'not asked': { named: 'allow' } },
  ]),
);

function harmless({ conversations, ...loaded }) {
  return { ...loaded, conversations: conversations.filter(({ attack }) => attack === null) };
}

/**
 * The boundary of each conversation: one for a suite, or with labels one for a task.
 * @param {import('./library.mjs').Library} library
 * @param {string} preset
 * @param {{ table?: object, observe?: boolean, labels?: import('../replay/labels.mjs').Labels }} [options]
 */
export function boundariesFor(library, preset, { labels, ...options } = {}) {
  const boundaries = new Map();
  return (trace) => {
    const { suite, task } = trace;
    const key = labels === undefined ? suite : `${suite}/${task}`;
    if (!boundaries.has(key)) {
      const authorize = labels && authorizeTask(labels, trace);
      boundaries.set(key, library.boundary(declaredFor(TOOLS[suite]), preset, { ...options, authorize }));
    }
    return boundaries.get(key);
  };
}

/**
 * @param {import('./library.mjs').Library} library
 * @param {{ suites?: readonly string[], wordings?: readonly string[], presets?: readonly string[], labels?: import('../replay/labels.mjs').Labels, show?: (text: string) => void }} [options]
 */
export async function playAgentDyn(library, options = {}) {
  const {
    suites = suiteNames,
    wordings = WORDINGS,
    presets = ['balanced', 'strict'],
    labels,
    show = () => {},
  } = options;
  const loaded = loadConversations(suites);
  const heldOut = suites.filter((suite) => suite !== TUNED_ON);
  const measured = heldOut.length > 0 ? heldOut : suites;
  const isMeasured = ({ suite }) => measured.includes(suite);
  const attacks = loaded.conversations.filter(
    (trace) => isMeasured(trace) && trace.attack === 'important_instructions',
  ).length;
  const playNamed = () => {
    const boundaryOf = boundariesFor(library, 'strict', { table: NAMED, labels });
    return measure(harmless(loaded), { boundaryOf, source: library.source, wording: 'original' });
  };
  const result = {};
  for (const preset of presets) {
    const boundaryOf = boundariesFor(library, preset, { labels });
    result[preset] = { wordings: {} };
    for (const wording of wordings) {
      const progress = (done, all) => show(`${preset}, ${wording}: ${done} of ${all} conversations`);
      const all = await measure(loaded, { boundaryOf, source: library.source, wording, show: progress });
      if (wording === 'original')
        Object.assign(result[preset], {
          ...metricsOf(all.filter(isMeasured)),
          suites: Object.fromEntries(
            suites.map((suite) => [suite, metricsOf(all.filter((each) => each.suite === suite))]),
          ),
          tasks: byTask(all),
          listed: listed(all),
          ...(preset === 'strict' ? { named: metricsOf((await playNamed()).filter(isMeasured)) } : {}),
        });
      else
        result[preset].wordings[wording] = {
          hijackedPct: percent(all.filter((each) => isMeasured(each) && isReal(each)).length, attacks),
          ids: all.filter((each) => isMeasured(each) && isReal(each)).map(({ id }) => id),
        };
    }
  }
  return result;
}
