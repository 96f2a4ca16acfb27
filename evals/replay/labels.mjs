// What a good `authorize` would answer, from the labels that were written by hand. README.md says how, and that they never change.
import { readFileSync } from 'node:fs';

/**
 * @typedef {import('@sallyport/core').TaskDefinition} TaskDefinition
 *
 * @typedef {object} Labels
 * @property {Readonly<Record<string, Readonly<Record<string, TaskDefinition>>>>} tasks by suite and task
 * @property {Readonly<Record<string, readonly TaskDefinition[]>>} scripts by conversation, one for each message of the user
 */

function read(path) {
  return JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
}

/** @returns {Labels} */
export function loadLabels() {
  return { tasks: read('task-labels.json'), scripts: read('../gate/script-labels.json') };
}

/**
 * An `authorize` for one recorded task, whose user writes one message. The label depends on the task alone, never on content.
 * @param {Labels} labels
 * @param {{ suite: string, task: string }} trace
 */
export function authorizeTask({ tasks }, { suite, task }) {
  const label = tasks[suite]?.[task];
  if (label === undefined) throw new Error(`evals/replay/task-labels.json has no ${suite}/${task}`);
  return () => label;
}

/**
 * An `authorize` for a script: call `next()` before each message of the user, and its label is the answer.
 * @param {Labels} labels
 * @param {import('../gate/recorder.mjs').Recording} recording
 */
export function authorizeScript({ scripts }, { id, steps }) {
  const given = scripts[id];
  if (given === undefined) throw new Error(`evals/gate/script-labels.json has no ${JSON.stringify(id)}`);
  const messages = steps.filter(({ type }) => type === 'user').length;
  if (given.length !== messages)
    throw new Error(
      `evals/gate/script-labels.json has ${given.length} labels of ${JSON.stringify(id)}, not ${messages}`,
    );
  let at = -1;
  return { next: () => void at++, authorize: () => given[at] };
}
