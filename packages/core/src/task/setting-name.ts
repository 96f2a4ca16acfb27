import { words } from '../base/words.ts';
import { effectOfName, wordsOfName } from '../call/verbs.ts';

// What is set by these verbs is what follows them: to set a limit is not to set an address.
const SETTING = words(
  'create add make update set put change enable disable configure edit modify new get turn switch save write apply store',
);
/** Verbs that say what is set, where their object does not: to disable an account. */
const SWITCHING = words('enable disable turn switch');
const BETWEEN_NOUNS = words('to for from in of on with at by');
// Nouns that say nothing of what is set.
const ANY_SETTING = words(
  'setting settings config configuration preference preferences option options info data details profile account user',
);

/** A name may begin with that of its service, before the verb: `git_transfer_repo_ownership`. */
function withoutService(name: readonly string[]): readonly string[] {
  const [first = '', second = ''] = name;
  const isVerb = (word: string): boolean => SETTING.has(word) || effectOfName(word) !== 'execute';
  return name.length > 2 && !isVerb(first) && isVerb(second) ? name.slice(1) : name;
}

/** The words of a tool's name that say what it sets: its last noun, and a verb that says it alone; none if its arguments say it. */
export function objectsOf(tool: string): readonly string[] {
  const all = withoutService(wordsOfName(tool));
  const end = all.findIndex((word, index) => index > 0 && BETWEEN_NOUNS.has(word));
  const [verb = '', ...nouns] = end < 0 ? all : all.slice(0, end);
  const object = nouns.at(-1);
  const isSpecific = !SETTING.has(verb);
  if (object === undefined) return [];
  if (ANY_SETTING.has(object)) return isSpecific || SWITCHING.has(verb) ? [verb] : [];
  return isSpecific ? [verb, object] : [object];
}
