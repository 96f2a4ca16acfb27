import { words } from '../base/words.ts';
import type { RequestableCommand } from '../call/command/requestable.ts';
import { MARKED, plain } from './clauses.ts';

const REMOTE = '(?:origin|remote|upstream|github|gitlab|bitbucket|repo|repository|server)';
/** What people push without a name: "push it", "push the new branch", "push the changes that you made". */
const UNNAMED = new RegExp(
  `^(?:|it|this|that|them|everything|all|(?:all )?(?:the |my |our |your |these |those |this |a )?(?:new |latest |local |last |own |separate |feature |same |current |remote )*(?:changes?|branch|commits?|work|fix|fixes|code|${REMOTE})(?: (?:repo|repository|server|branch))?(?: (?:that )?(?:you|we|i) (?:just )?(?:made|did)| (?:for|of|from) [^.]+)?)(?: up| upstream| directly)?$`,
  'i',
);
/** A branch that is named: "origin main", "the branch fix-12 on GitHub". */
const NAMED = new RegExp(
  `^(?:${REMOTE}[ /])?(the |my |our |a )?((?:new )?(?:branch|tag) (?:called |named )?)?(\\w[\\w./-]*)( branch)?(?: (?:on|at|in) (?:the |our )?${REMOTE})?$`,
  'i',
);
const USUAL = words('main master develop dev trunk head');
/** What says when, why or how to push, and not what. */
const TAIL =
  /(?:^|\s)(?:please|now|first|again|too|afterwards|directly|(?:when|once|after) (?:you are |you're |that is |everything is )?(?:done|ready|finished|green)|(?:if|when|once) (?:all |the )*tests (?:pass|are green)|so (?:that )?.+|for review|with (?:\S+ )*message(?: .+)?)$/i;

/** A clause with more words after its verb says something else. */
const MAX_WORDS = 20;

/** The branch in the words for one; empty for the one that is checked out. A word that is not marked may be a noun: "push notifications". */
function branchIn(text: string, isPlace: boolean): string | undefined {
  if (UNNAMED.test(text)) return '';
  const [, article, said, name, noun] = NAMED.exec(text) ?? [];
  if (name === undefined) return undefined;
  const isKnown = said !== undefined || noun !== undefined || MARKED.test(name) || USUAL.has(plain(name));
  const isPlain = isPlace && article === undefined;
  return isKnown || isPlain || /^origin[ /]/i.test(text) ? name : undefined;
}

/**
 * The branch that the words after "push" name; empty for the one that is checked out, undefined if they do not order a push.
 *
 * @example
 * ```ts
 * pushedIn(['it', 'to', 'main']); // 'main'
 * pushedIn(['notifications']); // undefined
 * ```
 */
export function pushedIn(rest: readonly string[]): string | undefined {
  if (rest.length > MAX_WORDS) return undefined;
  const text = rest.join(' ').replace(TAIL, '').replace(/^up /i, '').trim();
  const [, what = '', place] = /^(.*?)(?:(?:^|\s)(?:up )?(?:to|onto) (.+))?$/.exec(text) ?? [];
  const branch = branchIn(what, false);
  if (branch === undefined || place === undefined) return branch;
  const target = branchIn(place, true);
  return target === '' ? branch : target;
}

/** Names of functions next to which "push" is one too: "implement pop, then push". */
export const PAIRED: ReadonlySet<string> = words('pull pop shift unshift peek fetch insert enqueue splice');

const STOPS_PUSHING =
  /\b(?:stop|no|no more|never|not|don['\u2019]t|without|avoid|quit|cease|hold off|hold off on|pause) (?:\w+ )?push(?:e[sd]|ing)?\b|\b(?:only|just) (?:work(?:ing)? )?local(?:ly)?\b|\bwork(?:ing)? (?:only |just )?locally\b|\b(?:stay|keep (?:it|this|that|them|everything|all|(?:the |my |your )?\w+)) (?:only )?local(?:ly)?\b/i;
const ASKS_FIRST =
  /(?:(?<!\p{L}['\u2019]?\s)|\b(?:but|and|then|always|please|(?<!(?:need|have) )to) )\b(?:ask|check with) me (?:first|before|again)\b|\bwait for my\b/iu;

const TYPES: readonly RequestableCommand['type'][] = ['install', 'uninstall', 'delete', 'push'];

/** The types of orders that a text takes back, or that wait for another answer after it. */
export function takenBackIn(text: string): ReadonlySet<RequestableCommand['type']> {
  if (ASKS_FIRST.test(text)) return new Set(TYPES);
  return new Set(STOPS_PUSHING.test(text) ? ['push'] : []);
}
