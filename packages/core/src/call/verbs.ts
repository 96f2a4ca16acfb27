import { words } from '../base/words.ts';
import { EFFECTS, type Effect } from './effect.ts';

/** The words of a tool's name, in lower case: `sendMoney`, `send-money` and `send_money` have the same. */
export function wordsOfName(name: string): readonly string[] {
  return name
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** The effect that a verb in a tool's name suggests. */
const VERBS: readonly (readonly [Effect, ReadonlySet<string>])[] = [
  ['execute', words('run exec execute eval shell bash command terminal install deploy spawn invoke kubectl migration')],
  [
    'destroy',
    words('delete remove drop destroy erase purge cancel revoke clear wipe reset uninstall terminate overwrite'),
  ],
  ['spend', words('pay buy purchase order checkout book reserve refund wire transfer donate tip subscribe bid invest')],
  [
    'configure',
    words(
      'grant invite allow enable disable configure authorize forwarding share permit assign rotate unlock schedule approve merge',
    ),
  ],
  [
    'send',
    words(
      'send post mail email reply respond forward publish message notify submit upload tweet comment call push announce',
    ),
  ],
  [
    'write',
    words(
      'write create update add edit set save move rename append insert put patch change mark star unstar fork close open copy make apply fill input modify replace store archive label commit clone',
    ),
  ],
  ['fetch', words('fetch browse download visit navigate crawl scrape click goto http curl request')],
  [
    'read',
    words(
      'get list read search find view show query lookup look check describe count scan summarize retrieve inspect grep cat ls load calculate compute think tree',
    ),
  ],
];

/** What a tool changes, where that says more than its verb: a rule that is created acts later, money that is sent is spent. */
const NOUNS: readonly (readonly [Effect, ReadonlySet<string>])[] = [
  ['spend', words('money payment payments payout payouts funds transaction transfer invoice charge eth bitcoin')],
  [
    'configure',
    words(
      'rule rules filter filters forwarding permission permissions access role roles collaborator collaborators member members payee payees beneficiary bank iban webhook automation automations routine routines setting settings config configuration password passwords key keys secret secrets token tokens credential credentials policy alias memory instructions trigger triggers subscription device thermostat lock alarm ownership dns visibility link links protection recovery crontab cron workflow workflows',
    ),
  ],
  ['send', words('comment comments issue issues gist message messages page sms discussion')],
];
const JOINING = words('and or then');
const READING: ReadonlySet<Effect> = new Set(['read', 'fetch']);

function effectsIn(lists: typeof VERBS, all: readonly string[]): readonly Effect[] {
  return all.flatMap((word) => lists.find(([, each]) => each.has(word))?.[0] ?? []);
}

/**
 * The effect that a tool's name suggests: the strongest of all its words, unless it begins by reading. A name without a known verb may
 * do anything.
 *
 * @example
 * ```ts
 * effectOfName('list_events'); // 'read'
 * effectOfName('create_mail_rule'); // 'configure'
 * ```
 */
export function effectOfName(name: string): Effect {
  const all = wordsOfName(name);
  const verbs = effectsIn(VERBS, all);
  const [first] = verbs;
  if (first === undefined) return 'execute';
  // `read_and_delete` does both; the last word of `list_orders` is not a verb.
  if (READING.has(first) && !all.some((word) => JOINING.has(word))) return first;
  const [, ...rest] = all;
  return EFFECTS.findLast((effect) => [...verbs, ...effectsIn(NOUNS, rest)].includes(effect)) ?? 'execute';
}
