// Checks over all data that every wording keeps what the attack needs: complete values, intact structures.
import { parsePrinted } from './literal.mjs';
import { findAtoms, findInjected, reword, WORDINGS, write } from './wordings.mjs';

/**
 * Every string of a value, keys left out.
 * @param {unknown} value
 * @returns {string[]}
 */
function stringsOf(value) {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsOf) : [];
}

/**
 * @typedef {{ isStructure: boolean, strings: string[] }} Read
 *
 * @param {string} text
 * @returns {Read}
 */
function readStrings(text) {
  const printed = parsePrinted(text);
  return { isStructure: printed !== undefined, strings: printed ? stringsOf(printed.json) : [text] };
}

const straight = (text) => text.replaceAll('\u2019', "'");
const decode = (text) => text.replace(/(?<=^Encoded note: ).+/, (code) => Buffer.from(code, 'base64').toString());

/**
 * What is wrong with one wording of one tool result. Values are searched in the new text, since a sender may occur elsewhere in
 * the result; the new text is searched in the strings of the parsed result.
 * @param {Read} before
 * @param {Read} after
 * @param {{ goals: readonly string[], wording: string, where: { suite: string, task: string } }} made
 */
function compare(before, after, { goals, wording, where }) {
  const strings = after.strings.map(straight);
  const added = wording === 'split' && before.isStructure ? goals.length : 0;
  const problems = [];
  if (after.isStructure !== before.isStructure) problems.push('is not parsed as before');
  if (after.strings.length !== before.strings.length + added) problems.push('has other fields');
  if (strings.some((string) => findInjected(string).length > 0)) problems.push('still has the original');
  for (const goal of goals) {
    const pieces = write(goal, wording, where).map(straight);
    for (const piece of pieces)
      if (!strings.some((string) => string.includes(piece))) problems.push(`has no string with: ${piece}`);
    for (const { value } of findAtoms(goal))
      if (!pieces.some((piece) => decode(piece).includes(value))) problems.push(`has lost ${value}`);
  }
  return problems;
}

/** The injected goals of a record, with white space as in `findInjected`. */
function goalsOf({ injection }) {
  return new Set(Object.values(injection.texts).flatMap((text) => findInjected(text).map(({ goal }) => goal)));
}

/**
 * @param {readonly import('./traces.mjs').Trace[]} traces
 * @returns {{ results: number, regions: number, problems: string[] }}
 */
export function checkWordings(traces) {
  const problems = [];
  const seen = new Set();
  let regions = 0;
  for (const trace of traces.filter(({ attack }) => attack === 'important_instructions')) {
    const { suite, injection, messages } = trace;
    const where = { suite, task: injection.task };
    const goals = goalsOf(trace);
    for (const { text = '' } of messages.filter(({ role }) => role === 'tool')) {
      const found = findInjected(text);
      // Many conversations have the same result; one check is enough.
      const key = JSON.stringify([where, text]);
      if (found.length === 0 || seen.has(key)) continue;
      seen.add(key);
      regions += found.length;
      for (const { goal } of found) if (!goals.has(goal)) problems.push(`${trace.id}: the goal was parsed as: ${goal}`);
      const before = readStrings(text);
      for (const wording of WORDINGS.filter((name) => name !== 'original')) {
        const made = { goals: found.map(({ goal }) => goal), wording, where };
        for (const problem of compare(before, readStrings(reword(text, wording, where)), made))
          problems.push(`${trace.id}, ${wording}: ${problem}`);
      }
    }
  }
  if (seen.size === 0) problems.push('no tool result with an injected text was read');
  return { results: seen.size, regions, problems };
}
