import type { Effect } from '../call/effect.ts';
import { wordsOfName } from '../call/verbs.ts';

/** A word without the endings of English verbs and nouns. */
export function stemOf(word: string): string {
  if (word.length <= 3) return word;
  const stem = word.replace(/ies$/, 'y').replace(/(?:ing|ed|es|s|e)$/, '');
  return stem.length < 3 ? word : stem.replace(/([bdgklmnprt])\1$/, '$1');
}

const group = (words: string): ReadonlySet<string> => new Set(words.split(' ').map(stemOf));

const PAY = group(
  'pay transfer wire settle buy purchase order checkout refund subscribe donate bill invoice money payment cart',
);
const BOOK = group('book reserve reservation ticket table hotel flight rent order checkout');
const REMOVE = group(
  'delete remove clear drop cancel wipe erase uninstall revoke clean empty discard unsubscribe terminate',
);
const RUN = group(
  'run execute install build test deploy start setup fix compile launch debug lint script command release',
);

/** Words with which people ask for one kind of act, and words in the names of tools that do it. */
const GROUPS: readonly ReadonlySet<string>[] = [
  group(
    'send mail email reply answer respond forward tell inform notify message write thank greet contact report announce',
  ),
  group('post publish comment tweet submit reply announce issue'),
  group('schedule meeting event calendar appointment remind reminder plan invite accept arrange dinner lunch'),
  group('invite add collaborator member grant access permission role'),
  group('transfer give hand ownership'),
  group('star unstar like favorite follow'),
  group('push upload commit sync publish merge pull update release clone'),
  group('fill form enter register sign login log reserve book submit input complete comment post apply join'),
  group('download get fetch save obtain copy'),
  group(
    'save create write store put make move copy rename upload download file folder directory edit note add node update',
  ),
  group(
    'change set update edit modify turn adjust configure enable disable password setting rule filter block allow switch add key',
  ),
  group('visit open browse read check look find go see search summarize page website link'),
];

/** Effects for which no word of a tool's name widens what the user may have asked for. */
const FIXED: Partial<Readonly<Record<Effect, readonly ReadonlySet<string>[]>>> = {
  spend: [PAY, BOOK],
  destroy: [REMOVE],
  execute: [RUN],
};

/** The act of a tool whose name says nothing. */
const PLAIN: Partial<Readonly<Record<Effect, string>>> = {
  read: 'read',
  fetch: 'visit',
  write: 'save',
  send: 'send',
  configure: 'change',
};

// Verbs that say nothing without their object: what `create_event` does is an event.
const GENERIC: ReadonlySet<string> = group('create add make update set put get do new open');

function groupsWith(words: readonly string[]): readonly ReadonlySet<string>[] {
  return GROUPS.filter((each) => words.some((word) => each.has(word)));
}

function groupsFor(tool: string, effect: Effect): readonly ReadonlySet<string>[] {
  const own = wordsOfName(tool).map(stemOf);
  const specific = groupsWith(own.filter((word) => !GENERIC.has(word)));
  if (specific.length > 0) return specific;
  const named = groupsWith(own);
  return named.length > 0 ? named : groupsWith([stemOf(PLAIN[effect] ?? '')]);
}

/** The stems of the words with which a person asks for what a tool does. */
export function wordsFor(tool: string, effect: Effect): ReadonlySet<string> {
  return new Set((FIXED[effect] ?? groupsFor(tool, effect)).flatMap((each) => [...each]));
}
