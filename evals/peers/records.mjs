// The held-out records, and the samples of them for slow peers: nested samples in a fixed order.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../tools/command.mjs';

export const directory = join(root, '..', 'shared', 'data', 'spans');
const SEED = 'sallyport-peers-1';
const MAIL = 'ben_llmail';

/**
 * From the smallest to all; a peer gets the largest that it finishes within the CPU seconds, counted from the first
 * record. The smallest has no limit, so that even the slowest peers have a figure.
 */
export const LEVELS = [
  { name: 'small', injection: 40, document: 40, notinject: 40, mail: 40, other: 0, seconds: Infinity },
  { name: 'sample', injection: 300, document: 300, notinject: Infinity, mail: Infinity, other: 0, seconds: 300 },
  {
    name: 'all',
    injection: Infinity,
    document: Infinity,
    notinject: Infinity,
    mail: Infinity,
    other: Infinity,
    seconds: 90,
  },
];

/** @param {number} count of each pool */
export function trialLevel(count) {
  return { name: 'trial', injection: count, document: count, notinject: count, mail: count, other: 0, seconds: 600 };
}

function poolsOf({ label, source }) {
  if (label === 'injection') return ['injection'];
  if (source === 'notinject') return ['notinject'];
  // Benign prompts to a chat model, not documents: counted under their own source only.
  if (source === 'authensor') return ['other'];
  return source === MAIL ? ['document', 'mail'] : ['document'];
}

/** Test-split records, in the order in which samples take them. */
export function readRecords() {
  if (!existsSync(directory)) return [];
  const records = [];
  for (const file of readdirSync(directory).filter((name) => name.endsWith('.jsonl')))
    for (const line of readFileSync(join(directory, file), 'utf8').split('\n')) {
      if (line === '') continue;
      const { id, source, split, text, label, attack } = JSON.parse(line);
      if (split !== 'test') continue;
      const order = createHash('sha256').update(`${SEED} ${source} ${id}`).digest('hex');
      records.push({ source, text, label, attack, order, pools: poolsOf({ label, source }) });
    }
  return records.sort((one, other) => (one.order < other.order ? -1 : 1));
}

/** The number of records of each source in a sample of `count`, in proportion, at least one of each. */
function quotas(bySource, count) {
  const total = [...bySource.values()].reduce((sum, list) => sum + list.length, 0);
  const share = Math.min(1, count / total);
  const exact = [...bySource].map(([source, list]) => ({ source, exact: list.length * share }));
  const quota = new Map(exact.map(({ source, exact: size }) => [source, Math.max(1, Math.floor(size))]));
  let left = Math.min(count, total) - [...quota.values()].reduce((sum, size) => sum + size, 0);
  for (const { source, exact: size } of exact.sort((one, other) => (other.exact % 1) - (one.exact % 1)))
    if (left > 0 && size > 1 && size % 1 > 0) {
      quota.set(source, quota.get(source) + 1);
      left--;
    }
  return quota;
}

/**
 * The records of a level, each with the pools it counts for.
 * @param {ReturnType<typeof readRecords>} records
 * @param {(typeof LEVELS)[number]} level
 * @returns {Map<number, string[]>} index of the record to its pools
 */
export function plan(records, level) {
  const chosen = new Map();
  for (const pool of ['injection', 'document', 'notinject', 'mail', 'other']) {
    if (level[pool] === 0) continue;
    const bySource = new Map();
    for (const [index, { source, pools }] of records.entries())
      if (pools.includes(pool)) bySource.set(source, [...(bySource.get(source) ?? []), index]);
    const quota = quotas(bySource, level[pool]);
    for (const [source, list] of bySource)
      for (const index of list.slice(0, quota.get(source))) chosen.set(index, [...(chosen.get(index) ?? []), pool]);
  }
  return chosen;
}
