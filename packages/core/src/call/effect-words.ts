// The words by which names of tools and arguments suggest an effect. Programmers choose them, as identifiers. The table only ever
// raises an effect: a missing word costs a question, since a name without a known verb counts as `execute`, and a word in the wrong
// row must not let a call pass. So what can mean two things has the graver meaning, and only names that read are believed weak.
import type { Effect } from './effect.ts';

/** The effect of each word. */
export type EffectWords = ReadonlyMap<string, Effect>;

function effectWords(table: Readonly<Partial<Record<Effect, string>>>): EffectWords {
  const entries = Object.entries(table) as readonly (readonly [Effect, string])[];
  return new Map(entries.flatMap(([effect, text]) => text.split(' ').map((word) => [word, effect] as const)));
}

/** Verbs that read. A name that begins with one reads, whatever it reads: `list_orders`. */
export const READS: EffectWords = effectWords({
  fetch: 'browse crawl download fetch goto navigate scrape visit',
  read:
    'calculate cat check compute count describe explain extract find get grep inspect list load look lookup ls query read recall retrieve scan ' +
    'search show summarize think tree view',
});

/** Reading verbs after which a thing that is also a verb is a thing: `email_search`. */
export const PLAIN_READS: ReadonlySet<string> = new Set(
  'describe fetch find get list lookup read retrieve search'.split(' '),
);

/** Words of a name without any verb, of which all must be here: `current_weather`. */
export const OUTPUTS: ReadonlySet<string> = new Set(
  (
    'count current daily date detail details forecast history hourly info information latest my name now recent stat statistics stats ' +
    'status summary temperature time timezone today version weather whoami'
  ).split(' '),
);

/** Verbs that are nothing else: they count wherever they are, so `search_and_replace` and `get_update_delete` change something. */
export const ACTS: EffectWords = effectWords({
  execute: 'eval exec execute install invoke spawn',
  destroy: 'cancel delete destroy drop erase overwrite purge remove revoke terminate uninstall wipe',
  spend: 'disburse invest pay purchase',
  configure: 'allow approve assign authorize configure disable enable grant permit unlock',
  send: 'forward notify publish reply respond send submit upload',
  write: 'append create edit insert modify rename replace store update write',
});

/** Verbs that are things after a verb that reads: `order`, but not in `get_order`. */
export const VERBS: EffectWords = effectWords({
  execute: 'apply bash command deploy kubectl migration run shell terminal',
  destroy: 'clear close reset',
  spend: 'bid book buy checkout donate order refund reserve subscribe tip transfer wire',
  configure: 'forwarding invite merge rotate schedule share',
  send: 'announce broadcast call click comment curl email export http mail message post push request sync tweet',
  write:
    'add archive change clone commit copy fill fork import input label make mark move open patch put save set star unstar',
});

/** What a tool acts on, where that says more than its verb. A plural counts as well. */
export const THINGS: EffectWords = effectWords({
  spend: 'bitcoin charge eth fund invoice money order payment payout purchase refund transaction transfer',
  configure:
    'access alarm alias automation bank beneficiary collaborator config configuration credential cron crontab device dns filter ' +
    'forwarding iban instruction invite key link lock member memory ownership password payee permission policy protection recovery ' +
    'role routine rule secret setting subscription thermostat token trigger visibility webhook workflow',
  send: 'comment discussion email gist http issue mail message page release request review sms',
});

/** Arguments that raise what writes or sends: whom it reaches, and what it allows. */
export const ARGUMENTS: EffectWords = effectWords({
  spend: 'beneficiary iban payee',
  configure: 'acl permission role visibility',
  send: 'attendee bcc cc guest invitee participant recipient',
});

/** Words of arguments that say where a call goes. */
export const ADDRESSES: ReadonlySet<string> = new Set(
  (
    'address addresses bcc cc domain email emails endpoint host hostname hosts href ip link links mail proxy recipient recipients server ' +
    'site to uri uris url urls webhook website'
  ).split(' '),
);

/** Words of arguments that hold code. */
export const CODE: ReadonlySet<string> = new Set(
  'args argv cmd code command commands program script scripts shell sql statement'.split(' '),
);

/** Words of arguments that hold code where a tool changes something. */
export const STATEMENTS: ReadonlySet<string> = new Set('manifest query'.split(' '));

/** A query of one of these can change it. */
export const DATABASES: ReadonlySet<string> = new Set(
  'bigquery cypher database db graphql mongodb mssql mysql postgres postgresql snowflake sql sqlite table warehouse'.split(
    ' ',
  ),
);

/** What joins two verbs in a name, after which nothing is only a thing. */
export const JOINING: ReadonlySet<string> = new Set('and or then'.split(' '));

/** For the protocol it is destructive to change content that exists. Verbs that say no more than that mean `write`. */
export const OVERWRITES: ReadonlySet<string> = new Set(
  'append edit insert modify move patch put rename replace save update write'.split(' '),
);
