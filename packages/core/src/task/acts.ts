import type { Effect } from '../call/effect.ts';
import { wordsOfName } from '../call/verbs.ts';
import { stemOf, WordMatcher } from './word-matcher.ts';
import { ACTS, type Act } from './words/act-words.ts';
import { LANGUAGES } from './words/languages.ts';

export type { Act } from './words/act-words.ts';

/** Effects for which no word of a tool's name widens what the user may have asked for. */
const FIXED: Partial<Readonly<Record<Effect, ReadonlySet<Act>>>> = {
  spend: new Set(['pay', 'book']),
  destroy: new Set(['remove']),
  execute: new Set(['run']),
};

/** Acts that no word of a tool's name suggests: the tool's effect does. */
const GRAVE: ReadonlySet<Act> = new Set(['pay', 'book', 'remove', 'run']);

/** Acts weaker than a tool's effect: to save a file is not to share it, and to send a mail is not to make a rule for mails. */
const WEAKER: Partial<Readonly<Record<Effect, ReadonlySet<Act>>>> = {
  send: new Set(['save', 'download', 'visit']),
  configure: new Set(['save', 'download', 'visit', 'send', 'post']),
};

/** The acts of a tool whose name says nothing. */
const PLAIN: Partial<Readonly<Record<Effect, readonly Act[]>>> = {
  read: ['visit'],
  write: ['save', 'change'],
  send: ['send'],
  configure: ['change'],
};

/** Acts that a tool with an effect always performs. */
const ALWAYS: Partial<Readonly<Record<Effect, readonly Act[]>>> = { fetch: ['visit', 'download'] };

// Verbs that say nothing without their object: what `create_event` does is an event.
const GENERIC: ReadonlySet<string> = new Set(
  ['create', 'add', 'make', 'update', 'set', 'put', 'get', 'do', 'new', 'open'].map(stemOf),
);

let english: WordMatcher<Act> | undefined;

// In a tool's name every word counts, in whatever form.
function nameMatcher(): WordMatcher<Act> {
  if (english !== undefined) return english;
  english = new WordMatcher<Act>();
  for (const words of LANGUAGES.filter(({ language }) => language === 'en'))
    for (const act of ACTS)
      for (const list of [act, `${act} verbs or nouns`, `${act} before names`, `${act} nouns`] as const)
        english.add(words.matching, words[list] ?? [], act);
  return english;
}

/** The acts that the declared words of a tool mean, such as `change`. */
export function actsOf(words: readonly string[]): ReadonlySet<Act> {
  return new Set(words.flatMap((word) => [...nameMatcher().valuesIn(word)]));
}

function actsNamedBy(words: readonly string[], effect: Effect): readonly Act[] {
  const named = [...nameMatcher().valuesIn(words.join(' '))];
  return named.filter((act) => !GRAVE.has(act) && WEAKER[effect]?.has(act) !== true);
}

/** The acts that a tool performs, by the words of its name and its effect. */
export function actsFor(tool: string, effect: Effect): ReadonlySet<Act> {
  const fixed = FIXED[effect];
  if (fixed !== undefined) return fixed;
  const always = ALWAYS[effect] ?? [];
  const words = wordsOfName(tool);
  const specific = actsNamedBy(
    words.filter((word) => !GENERIC.has(stemOf(word))),
    effect,
  );
  if (specific.length > 0) return new Set([...always, ...specific]);
  const named = actsNamedBy(words, effect);
  return new Set([...always, ...(named.length > 0 ? named : (PLAIN[effect] ?? []))]);
}
