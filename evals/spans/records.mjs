// Reads the labelled records of one split. They are outside the repository: see evals/spans/README.md.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../tools/command.mjs';

export const data = join(root, '..', 'shared', 'data', 'spans');

/**
 * @param {string} split
 * @returns {{ id: string, source: string, text: string, injected: boolean, spans: { start: number, end: number, kind: string }[], lang: string, channel: string, attack: string | null }[]}
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
    }));
}

// Prompts that users type, and strings without a document around them, are measured but are not tool results.
const APART = new Set(['notinject', 'authensor']);

/**
 * Whether a record is one of the benign documents by which thresholds are set.
 * @param {{ injected: boolean, source: string }} record
 */
export function isPooled({ injected, source }) {
  return !injected && !APART.has(source);
}
