// Reads recorded conversations of models with tools, with and without an attacker. The data are outside the repository.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { fail, root } from '../../tools/command.mjs';

/**
 * @typedef {object} Call
 * @property {string} id
 * @property {string} tool
 * @property {Record<string, unknown>} args
 *
 * @typedef {object} Message
 * @property {'system' | 'user' | 'assistant' | 'tool'} role
 * @property {string} [text]
 * @property {Call[]} [calls]
 * @property {string} [callId]
 * @property {string} [tool]
 * @property {string} [error]
 *
 * @typedef {object} Trace
 * @property {string} id
 * @property {string} model
 * @property {string} suite
 * @property {string} task `user_task_*`, or `injection_task_*` where an attacker's goal was run as a plain task
 * @property {string | null} attack
 * @property {{ task: string, texts: Record<string, string> } | null} [injection]
 * @property {boolean} utility whether the user's goal was reached
 * @property {boolean} hijacked whether the attacker's goal was reached
 * @property {Message[]} messages
 */

const data = join(root, '..', 'shared', 'data', 'agentdyn-traces');
const ENDING = '.jsonl.br';

export const suiteNames = ['dailylife', 'github', 'shopping'];

/** One file per model; none when the data are absent. */
const modelNames = existsSync(data)
  ? readdirSync(data)
      .filter((name) => name.endsWith(ENDING))
      .sort()
      .map((name) => name.slice(0, -ENDING.length))
  : [];

/** @param {string} model */
function readModel(model) {
  return brotliDecompressSync(readFileSync(join(data, model + ENDING)))
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/**
 * @param {{ suites?: readonly string[], models?: readonly string[] }} [options]
 * @returns {Trace[]}
 */
export function loadTraces({ suites = suiteNames, models = modelNames } = {}) {
  if (modelNames.length === 0)
    fail(
      `${data} has no conversations`,
      `put the runs of github.com/SaFo-Lab/AgentDyn (MIT, commit 5353cf7) there, one *${ENDING} per model, a conversation per line`,
      2,
    );
  const unknown = [...suites.filter((name) => !suiteNames.includes(name))].concat(
    models.filter((name) => !modelNames.includes(name)),
  );
  if (unknown.length > 0)
    fail(
      `unknown suite or model: ${unknown.join(', ')}`,
      `use one of: ${[...suiteNames, ...modelNames].join(', ')}`,
      2,
    );
  return models.flatMap(readModel).filter(({ suite }) => suites.includes(suite));
}
