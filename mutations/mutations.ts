// Reads the list of mutations: small deliberate faults in the source, each of which a named test must detect.
import { readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { root } from '../tools/command.mjs';

export interface Mutation {
  readonly id: string;
  readonly stage: string;
  /** Source file, from the repository root. */
  readonly file: string;
  /** Text that occurs exactly once in the file. */
  readonly find: string;
  readonly replace: string;
  /** Test files of which at least one must fail, from the repository root. */
  readonly tests: readonly string[];
  /** A part of the name of the one test that must fail, to prove that this test detects the fault. */
  readonly only?: string;
  /** What an attacker gains, or what breaks, if this fault is not detected. */
  readonly why: string;
}

const texts = ['id', 'stage', 'file', 'find', 'why'] as const;

function problemOf(entry: Mutation, seen: ReadonlySet<string>): string | undefined {
  const missing = texts.find((name) => typeof entry[name] !== 'string' || entry[name] === '');
  if (missing !== undefined) return `has no ${missing}`;
  if (seen.has(entry.id)) return 'has an id that occurs twice';
  if (typeof entry.replace !== 'string') return 'has no replace';
  if (entry.replace === entry.find) return 'changes nothing';
  if (!Array.isArray(entry.tests) || entry.tests.length === 0) return 'names no test';
  return undefined;
}

/** Reads and validates the list. `file` is its path from the repository root. */
export function readMutations(file = 'mutations/mutations.json'): readonly Mutation[] {
  const list: readonly Mutation[] = JSON.parse(readFileSync(isAbsolute(file) ? file : join(root, file), 'utf8'));
  if (!Array.isArray(list)) throw new TypeError(`${file} must be a JSON array`);
  const seen = new Set<string>();
  for (const [index, entry] of list.entries()) {
    const problem = problemOf(entry, seen);
    if (problem !== undefined) throw new TypeError(`${file}: mutation ${entry.id ?? index} ${problem}`);
    seen.add(entry.id);
  }
  return list;
}

/** The source with the fault applied. Throws unless `find` occurs exactly once, so that the fault is the described one. */
export function mutate(mutation: Mutation, source: string): string {
  const pieces = source.split(mutation.find);
  if (pieces.length !== 2)
    throw new Error(
      `mutation ${mutation.id}: its text must occur once in ${mutation.file}; it occurs ${pieces.length - 1} times`,
    );
  return pieces.join(mutation.replace);
}
