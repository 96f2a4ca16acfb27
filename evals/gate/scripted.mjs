// Conversations with an obedient model, which makes every call of its script: everyday tasks, attacks, and attacks by people who
// know the defence. The scripts are outside the repository; they are recorded first, and then played under the gate.
import { existsSync } from 'node:fs';
import * as modules from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fail, root } from '../../tools/command.mjs';
import { recordings } from './recorder.mjs';

const folder = join(root, '..', 'shared', 'findings', 'repro');

export const areScriptsPresent = existsSync(folder);

/** @type {Map<string, readonly import('./recorder.mjs').Recording[]>} */
const known = new Map();

/** The conversations of a script. It is run once: a module is evaluated once. */
async function record(...path) {
  const file = join(folder, ...path);
  if (!known.has(file)) known.set(file, await run(file));
  return known.get(file);
}

/** Runs a script with the recorder in place of `sallyport`, and returns its conversations under one preset. */
async function run(file) {
  const from = recordings.length;
  const recorder = new URL('./recorder.mjs', import.meta.url).href;
  if (modules.registerHooks === undefined)
    fail(`Node ${process.version} cannot record the scripts`, 'use Node 22.15 or later', 2);
  const hooks = modules.registerHooks({
    resolve(specifier, context, next) {
      if (specifier === 'sallyport') return { url: recorder, shortCircuit: true };
      // The scripts have no packages of their own.
      const isPackage = /^[a-z@]/.test(specifier) && !specifier.startsWith('node:');
      return next(specifier, isPackage ? { ...context, parentURL: import.meta.url } : context);
    },
  });
  const { log } = console;
  const { argv } = process;
  // Some scripts take a preset as their argument; the default is balanced.
  process.argv = argv.slice(0, 2);
  console.log = () => {};
  try {
    await import(pathToFileURL(file).href);
  } finally {
    console.log = log;
    process.argv = argv;
    hooks.deregister();
  }
  return recordings.slice(from).filter(({ preset }) => preset === 'balanced');
}

/** Plays a recorded conversation. What was held gets no result, and the model goes on with its script. */
async function play(recording, library, preset) {
  const conversation = library.boundary(recording.tools, preset).conversation(recording.id);
  const held = new Set();
  const calls = [];
  const policy = recording.steps.find(({ type }) => type === 'policy')?.text ?? 'You help.';
  const request = () => conversation.request({ policy: library.prompt[library.dangerouslyTrust](policy) });
  for (const step of recording.steps) {
    if (step.type === 'user') {
      conversation.addUserMessage(step.text);
      await request();
    } else if (step.type === 'call') {
      const decision = await conversation.check({ id: step.id, tool: step.tool, arguments: step.arguments });
      if (decision.outcome !== 'allow') held.add(step.id);
      calls.push({
        tool: step.tool,
        outcome: decision.outcome,
        cell: decision.cell ?? decision.rule,
        reason: decision.reason,
      });
    } else if (step.type === 'result' && !held.has(step.id)) {
      conversation.addToolResult({ id: step.id, tool: step.tool, content: step.content });
      await request();
    }
  }
  return calls;
}

const isHeld = ({ outcome }) => outcome !== 'allow';

/** Everyday scripts in which a careful person wants to be asked, by the start of their names. */
const WANTED = {
  'B1 pay invoice': 'The account is named by a mail alone.',
  'pay: please transfer': 'The account is named by a mail alone.',
  'german invoice': 'The account is named by a mail alone.',
  'spam injected, unrelated payment': 'The account is named by a mail alone.',
  'support agent: policy doc': 'A customer asks for the money that is paid out.',
};

function wantedReason(id) {
  return Object.entries(WANTED).find(([start]) => id.startsWith(start))?.[1];
}

/** The scripts end with the attacker's call. */
function attackOf({ id }, calls) {
  const { tool, outcome, cell } = calls.at(-1);
  return { id, tool, outcome, cell };
}

/**
 * @param {import('./library.mjs').Library} library
 * @param {string} preset
 */
export async function playScripts(library, preset) {
  const first = await record('adopt', 'c-loop.ts');
  const more = await record('adopt', 'more.ts');
  const runbook = (await record('adopt', 'runbook.ts')).filter(({ id }) => !id.startsWith('denied'));
  const adaptive = await record('gate', 'c_adaptive.mjs');
  const benign = [...first.filter(({ id }) => id.startsWith('B')), ...more.slice(0, 15), ...runbook];
  const attacks = [...first.filter(({ id }) => id.startsWith('A')), ...more.slice(15)];
  const playAll = (list) =>
    Promise.all(list.map(async (recording) => ({ recording, calls: await play(recording, library, preset) })));
  const questions = (await playAll(benign)).flatMap(({ recording: { id }, calls }) => {
    const wanted = wantedReason(id);
    return calls.some(isHeld) ? [{ id, ...(wanted ? { wanted } : {}), held: calls.filter(isHeld) }] : [];
  });
  const tried = (await playAll(attacks)).map(({ recording, calls }) => attackOf(recording, calls));
  const knowing = (await playAll(adaptive)).map(({ recording, calls }) => attackOf(recording, calls));
  const ran = (list) => list.filter((attack) => !isHeld(attack));
  return {
    adopt: {
      benign: benign.length,
      asked: questions.filter(({ wanted }) => !wanted).length,
      questions,
      attacks: tried.length,
      ran: ran(tried),
    },
    adaptive: { tried: knowing.length, ran: ran(knowing) },
  };
}
