import type { Effect, Role, Rule, RuleResult, Rules, ValueFacts } from '@sallyport/core';
import { isUsual } from './changed-files.ts';
import { actsLater } from './lasting-path.ts';

interface Question {
  readonly name: string;
  readonly effect: Exclude<Effect, 'read'>;
  readonly reason: string;
}

/** A question about some values of a call, if there are any. A person can answer it for always, as one of the policy's table. */
function askAbout({ name, effect, reason }: Question, values: readonly ValueFacts[]): RuleResult | undefined {
  const [first] = values;
  if (first === undefined) return undefined;
  const cell = { effect, supplier: first.supplier };
  return { outcome: 'ask', reason, about: values.map(({ path }) => path), cell, name, decidedBy: 'rule' };
}

// A file can be named by a URL too; a page cannot begin like this.
const FILE = /^\s*(?:file:|[~.\\/]|[a-z]:[\\/])/i;

function isPlace({ role, value }: ValueFacts): boolean {
  return role === 'path' || (role === 'url' && FILE.test(value));
}

/** The rule of hooks and wrappers about writing a file that is run or read later. */
export const ACTS_LATER = 'acts-later';
const LASTING = 'This writes a file that is run or read later, such as a hook or a setting, and you did not name it.';

const askAboutLasting: Rule = ({ effect, values }) => {
  if (effect !== 'write' && effect !== 'fetch') return undefined;
  const lasting = values.filter((each) => isPlace(each) && !each.isVouched && actsLater(each.value));
  return askAbout({ name: ACTS_LATER, effect, reason: LASTING }, lasting);
};

const REQUESTED = 'requested';
const SENT = 'This sends something where a text that was read asks for it.';
const POINTING: ReadonlySet<Role> = new Set(['recipient', 'url', 'id']);

/** Asks about sending to a recipient from a request in a text. No judge can say what the user wants. */
const askAboutRecipient: Rule = ({ effect, values, addresses, secrets }) => {
  // A person who is asked about a secret should read that.
  if (effect !== 'send' || secrets.length > 0) return undefined;
  const pointing = values.filter(({ role, isFree }) => POINTING.has(role) && !isFree);
  const asked = [...pointing, ...addresses].filter(({ isRequested, isVouched }) => isRequested && !isVouched);
  return askAbout({ name: REQUESTED, effect, reason: SENT }, asked);
};

/** Folders for what is needed for a while, up to the end of a command. */
const TEMPORARY = String.raw`(?:\s+(?:/private)?/(?:tmp|var/folders)(?:/(?!\.\.)[\w.*-]+)+/?)+\s*(?:$|[;&|\n]|2>)`;

/** Deletes much, gives away or rewrites the history, or runs what another program prints: what cannot be taken back. */
const GRAVE = [
  new RegExp(String.raw`\brm(?:\s+-\w+)*\s+-\w*[rR]\w*(?!${TEMPORARY})\b|\bfind\b.*\s-delete\b|\bgit\s+clean\s+-\w*f`),
  /\bgit\b[^|;&]*\s(?:push\b.*\s(?:-f|--force|--mirror|--all)\b|remote\s+(?:add|set-url)|reset\s+--hard|filter-branch)/,
  /\|\s*(?:sudo\s+)?(?:[\w./]*\/)?(?:(?:ba|da|fi|k|z)?sh|node|perl|php|python\d?|ruby)\b(?!\s+[\w./-]*\.)|\beval\b|<\(/,
];

/** A longer command is not read. */
const MAX_COMMAND = 10_000;

function isGrave(command: string): boolean {
  return command.length > MAX_COMMAND || GRAVE.some((each) => each.test(command));
}

const COMMANDED = 'A text that was read asks for this command.';
const REPEATED =
  'This command cannot be taken back, and it is from a text that was read or follows one that gives instructions to the model.';

/**
 * Asks about a command that a text asks for, and about one that cannot be taken back and that a text may have chosen, or its folder.
 * A command that only an instruction to the agent supplies is denied. A command that a text merely mentions passes.
 */
const checkCommand: Rule = ({ effect, values, isAlarmed, secrets }) => {
  if (effect !== 'execute') return undefined;
  const all = values.filter(({ role, value }) => role === 'command' && !isUsual(value));
  const isElsewhere = values.some(({ role, isRequested, isVouched }) => role === 'path' && isRequested && !isVouched);
  const commands = all.filter(({ isVouched }) => !isVouched);
  const [instructed] = commands.filter(({ supplier }) => supplier === 'instructed');
  if (instructed !== undefined) return denyInstructed(effect, instructed);
  if (secrets.length > 0) return undefined;
  const doubtful = commands.filter(({ supplier }) => isAlarmed || supplier === 'content');
  const grave = (isElsewhere ? all : doubtful).filter(({ value }) => isGrave(value));
  const requested = commands.filter(({ isRequested }) => isRequested);
  const question = { name: REQUESTED, effect };
  return askAbout({ ...question, reason: COMMANDED }, requested) ?? askAbout({ ...question, reason: REPEATED }, grave);
};

function denyInstructed(effect: Question['effect'], { path, from, supplier }: ValueFacts): RuleResult {
  const reason = `This command is ${from}.`;
  return { outcome: 'deny', reason, about: [path], cell: { effect, supplier }, decidedBy: 'provenance' };
}

const DICTATED = 'This writes what a text of others tells the agent to write.';

/** Asks about writing text from an instruction in a page, an issue or a message. The project's own files are exempt. */
const askAboutDictated: Rule = ({ effect, values }) => {
  if (effect !== 'write') return undefined;
  const dictated = values.filter(
    ({ supplier, from }) => supplier === 'instructed' && from.endsWith('where outsiders write'),
  );
  return askAbout({ name: 'dictated', effect, reason: DICTATED }, dictated);
};

const DISCLOSED =
  'Private data would go to an address that a text chose. Allow it only if the recipient may see that data.';

const askAboutDisclosure: Rule = ({ disclosure }) =>
  disclosure && { outcome: 'ask', reason: DISCLOSED, about: disclosure.paths };

const allowWork: Rule = ({ isOversized }) =>
  isOversized ? undefined : { outcome: 'allow', reason: 'This is work on the project, and no text asks for it.' };

/** The rules of wrappers in addition to those of their preset. */
export const WRAP_RULES: Rules = { [ACTS_LATER]: askAboutLasting, recipient: askAboutRecipient };

/**
 * The rules of hooks in addition to those of their preset. Those for the host's own work replace the preset's: the
 * texts of a project name commands, paths and hosts and speak to agents all the time, so that the policy would ask
 * about most of that work.
 */
export function hookRules(isOwnWork: (tool: string) => boolean): Rules {
  const forOwn = { command: checkCommand, dictated: askAboutDictated, private: askAboutDisclosure, work: allowWork };
  const limited = Object.entries(forOwn).map(([name, rule]): [string, Rule] => [
    name,
    (facts) => (isOwnWork(facts.tool) ? rule(facts) : undefined),
  ]);
  return { ...WRAP_RULES, ...Object.fromEntries(limited) };
}
