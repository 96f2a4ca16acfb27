// Every number in a document comes from evals/figures.json, which only the tools that measure write.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './command.mjs';

const figuresFile = join(root, 'evals', 'figures.json');

/**
 * Merges figures into evals/figures.json, each with today's date. `command` is the command that measures it, such as
 * `npm run coverage`.
 * @param {Record<string, { value: number, unit: string, command: string }>} entries
 */
export function writeFigures(entries) {
  const figures = existsSync(figuresFile) ? JSON.parse(readFileSync(figuresFile, 'utf8')) : {};
  const measured = new Date().toISOString().slice(0, 10);
  for (const [id, { value, unit, command }] of Object.entries(entries)) {
    if (!Number.isFinite(value)) throw new TypeError(`figure ${id} is not a number`);
    if (unit === '' || command === '') throw new TypeError(`figure ${id} needs a unit and a command`);
    figures[id] = { value, unit, command, measured };
  }
  const sorted = Object.fromEntries(Object.entries(figures).sort(([one], [other]) => (one < other ? -1 : 1)));
  mkdirSync(dirname(figuresFile), { recursive: true });
  writeFileSync(figuresFile, `${JSON.stringify(sorted, null, 2)}\n`);
}

/**
 * Writes a result file under evals/results, with the date and the version of Node.
 * @param {string} name
 * @param {object} result
 */
export function writeResult(name, result) {
  const file = join(root, 'evals', 'results', `${name}.json`);
  mkdirSync(dirname(file), { recursive: true });
  const header = { measured: new Date().toISOString(), node: process.version };
  // Results quote tests, and tests quote attacks: characters outside of ASCII are written as escapes.
  const text = JSON.stringify({ ...header, ...result }, null, 2).replace(
    /[^\n -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  writeFileSync(file, `${text}\n`);
}
