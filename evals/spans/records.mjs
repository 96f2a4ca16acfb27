// Reads the labelled records: the sets outside the repository (see evals/spans/README.md), and the fresh texts inside it.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../tools/command.mjs';

export const data = join(root, '..', 'shared', 'data', 'spans');
const fresh = join(root, 'evals', 'spans', 'fresh');

// Attacks that only ask for something; all others address the model.
const BARE =
  /^(?:agentdojo:direct|agentdyn:direct|agentdojo_ja:bare_goal|injecagent:d[hs]:base|redteamcua:|bipia:|asb:|piarena:direct|tasktracker:(?:plain|translated)|ours_ml:bare|spikee:no-jailbreak|fresh:bare)/;

/**
 * @typedef {object} LabelledRecord
 * @property {string} id
 * @property {string} source
 * @property {string} text
 * @property {boolean} injected
 * @property {{ start: number, end: number, kind?: string }[]} spans
 * @property {string} lang
 * @property {string} [attack]
 * @property {'addresses' | 'asks'} claim
 */

/**
 * @param {string} split
 * @returns {LabelledRecord[]}
 */
export function readRecords(split) {
  if (!existsSync(data)) return [];
  return readdirSync(data)
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .flatMap((name) => readFileSync(join(data, name), 'utf8').split('\n'))
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
    .filter((record) => record.split === split)
    .map(({ id, source, text, label, spans, lang, channel, attack }) => ({
      id,
      source,
      text,
      injected: label === 'injection',
      spans: spans.filter(({ kind }) => kind !== 'payload-code'),
      lang,
      channel,
      attack,
      claim: BARE.test(attack ?? '') ? 'asks' : 'addresses',
    }));
}

/** The texts of evals/spans/fresh, which are read once, after everything is frozen. */
export function readFresh() {
  return readdirSync(fresh)
    .filter((name) => name.endsWith('.txt'))
    .sort()
    .flatMap((name) => {
      const injected = name.startsWith('attacks');
      return readFileSync(join(fresh, name), 'utf8')
        .split(/^%% /m)
        .slice(1)
        .map((chunk, index) => freshRecord(`${name}:${index}`, chunk, injected));
    });
}

function freshRecord(id, chunk, injected) {
  const [head, ...lines] = chunk.split('\n');
  const words = head.trim().split(/\s+/);
  const marked = lines.join('\n').trimEnd();
  const start = marked.indexOf('\u27e6');
  const end = marked.indexOf('\u27e7') - 1;
  const attack = `fresh:${words[2]}`;
  return {
    id,
    source: 'fresh',
    text: marked.replace(/[\u27e6\u27e7]/g, ''),
    injected,
    spans: injected && start >= 0 ? [{ start, end }] : [],
    lang: injected ? (words[5] ?? 'en') : 'en',
    channel: injected ? words[0] : words[1],
    attack,
    claim: BARE.test(attack) ? 'asks' : 'addresses',
  };
}

// Prompts that users type, and strings without a document around them, are measured but are not tool results.
const APART = new Set(['notinject', 'authensor']);

/** Prompts to a model, which are neither attacks nor what a tool returns. */
function isGray({ id }) {
  return id.startsWith('ben_tau2:') && id.includes('/tasks');
}

/**
 * Whether a record is one of the benign documents by which thresholds are set.
 * @param {{ id: string, injected: boolean, source: string }} record
 */
export function isPooled(record) {
  return !record.injected && !APART.has(record.source) && !isGray(record);
}
