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
  ['execute', words('run exec execute eval shell bash command terminal install deploy spawn invoke')],
  [
    'destroy',
    words('delete remove drop destroy erase purge cancel revoke clear wipe reset uninstall terminate overwrite'),
  ],
  ['spend', words('pay buy purchase order checkout book reserve refund wire donate tip subscribe bid invest')],
  [
    'configure',
    words(
      'grant invite allow enable disable configure authorize forwarding share permit assign rotate unlock schedule',
    ),
  ],
  [
    'send',
    words(
      'send post mail email reply respond forward publish message notify submit upload tweet comment call push announce transfer',
    ),
  ],
  [
    'write',
    words(
      'write create update add edit set save move rename append insert put patch change mark star unstar fork merge close open copy make apply fill input modify replace store archive label commit clone',
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

/** What a tool acts on, where that says more than its verb: a rule that is created acts later, money that is sent is spent. */
const MONEY = words('money payment payments funds transaction transfer invoice');
const LASTING = words(
  'rule rules filter filters forwarding permission permissions access role roles collaborator collaborators member members payee payees beneficiary webhook automation automations routine routines setting settings config configuration password passwords key keys credential credentials policy alias memory instructions trigger triggers subscription device thermostat lock alarm ownership',
);
const JOINING = words('and or then');
const CHANGING: ReadonlySet<Effect> = new Set(['write', 'send', 'configure']);

/**
 * The effect that a tool's name suggests: that of its first known verb, or a stronger one if it acts on money or on what lasts.
 * A name without a known verb may do anything.
 *
 * @example
 * ```ts
 * effectOfName('list_events'); // 'read'
 * effectOfName('create_mail_rule'); // 'configure'
 * ```
 */
export function effectOfName(name: string): Effect {
  const all = wordsOfName(name);
  const verbs = all.flatMap((word) => VERBS.find(([, each]) => each.has(word))?.[0] ?? []);
  // `read_and_delete` does both; the last word of `list_orders` is not a verb.
  const verb = all.some((word) => JOINING.has(word)) ? EFFECTS.findLast((effect) => verbs.includes(effect)) : verbs[0];
  if (verb === undefined) return 'execute';
  if (!CHANGING.has(verb)) return verb;
  const [, ...nouns] = all;
  if (nouns.some((word) => MONEY.has(word))) return 'spend';
  return nouns.some((word) => LASTING.has(word)) ? 'configure' : verb;
}
