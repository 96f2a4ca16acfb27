// Recorded answers of a judge: one file of questions, one of answers, both by the digest of what the judge was asked.
// A question is asked once; an answer is never edited.
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../../tools/command.mjs';

const folder = join(root, 'evals', 'unseen', 'answers');

/** The digest of a question: of the whole request to the model. */
export function digestOf({ system, content }) {
  return createHash('sha256').update(`${system}\n\n${content}`).digest('hex').slice(0, 24);
}

function readLines(file) {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/** The recorded answers of a set, by digest. */
export function readAnswers(set) {
  return new Map(readLines(join(folder, `${set}.jsonl`)).map(({ digest, answer }) => [digest, answer]));
}

/** A number from 0 to 1 that depends on a digest and a seed alone. */
function chance(digest, seed) {
  return createHash('sha256').update(`${seed} ${digest}`).digest().readUInt32BE() / 2 ** 32;
}

/** The answer of a judge that is wrong: yes in place of no, or no in place of yes. */
function flipped(answer) {
  const { act, target, careful } = answer;
  const isYes = act && target && !careful;
  return isYes ? { ...answer, act: false } : { ...answer, act: true, target: true, careful: false };
}

/**
 * A model that answers from a record. What was not recorded is noted in `missing`, and fails like a model that does not answer.
 * @param {string} set
 * @param {{ flips?: number, seed?: number, always?: 'yes' | 'no' }} [options] the share of answers that are turned into their opposite
 */
export function recordedModel(set, { flips = 0, seed = 1, always } = {}) {
  const answers = readAnswers(set);
  const missing = new Map();
  const asked = [];
  // The rules of the first look, by which the first answer to the same question is found.
  let first;
  const generate = async (request) => {
    const look = request.system.includes('a third look') ? 3 : request.system.includes('a second look') ? 2 : 1;
    if (look === 1) first ??= request.system;
    const digest = digestOf(request);
    asked.push({ digest, look, text: `${request.system}\n${request.content}` });
    if (always !== undefined)
      return JSON.stringify({ act: always === 'yes', target: always === 'yes', careful: false, reason: 'scripted' });
    // Looks that only flipped answers lead to were not recorded: they err on their own about the first answer.
    const isMade = flips > 0 && look > 1 && first !== undefined;
    const answer = answers.get(digest) ?? (isMade ? answers.get(digestOf({ ...request, system: first })) : undefined);
    if (answer === undefined) {
      missing.set(digest, { digest, system: request.system, content: request.content });
      throw new Error('this question was not recorded');
    }
    return JSON.stringify(chance(digest, seed) < flips ? flipped(answer) : answer);
  };
  return { generate, missing, asked };
}

/** Appends an answer to a set's record. */
export function keepAnswer(set, entry) {
  const file = join(folder, `${set}.jsonl`);
  mkdirSync(dirname(file), { recursive: true });
  appendFileSync(file, `${JSON.stringify(entry)}\n`);
}
