import { words } from '../base/words.ts';
import type { Effect } from './effect.ts';
import { wordsOfName } from './verbs.ts';

/**
 * What an argument is for, which says how its value is compared and whether it decides anything. `recipient`: whom the call
 * reaches, such as an address, an account or a user; `amount`; `url`; `path`; `id`: an order, a message, a room; `command`: code
 * that runs; `secret`: a password or a key; `time`; `choice`: one of a few values; `text`: words that the model may choose.
 *
 * @example
 * ```ts
 * defineTool({ name: 'pay', effect: 'spend', roles: { iban: 'recipient', reference: 'text' } });
 * ```
 */
export const ROLES = [
  'recipient',
  'amount',
  'url',
  'path',
  'id',
  'command',
  'secret',
  'time',
  'choice',
  'text',
] as const;

/**
 * The role of an argument; see `ROLES`.
 *
 * @example
 * ```ts
 * const role: Role = 'recipient';
 * ```
 */
export type Role = (typeof ROLES)[number];

export function isRole(value: unknown): value is Role {
  return (ROLES as readonly unknown[]).includes(value);
}

/** The roles that names of arguments suggest, by their last known word. */
const NAMED: readonly (readonly [Role, ReadonlySet<string>])[] = [
  [
    'recipient',
    words(
      'to cc bcc recipient recipients attendee attendees participant participants guest guests invitee invitees collaborator collaborators member members payee beneficiary account iban email emails mail address addresses user username owner assignee channel phone number_to receiver contact contacts customer handle',
    ),
  ],
  ['amount', words('amount price total sum cost fee value balance budget tip')],
  ['url', words('url urls uri link links href endpoint host domain site website webhook registry server')],
  [
    'path',
    words(
      'path paths cwd workdir file files attachment attachments filename dir directory folder source destination src dest target location',
    ),
  ],
  ['command', words('command commands cmd script scripts code sql statement statements shell line program args')],
  ['secret', words('password secret token otp pin passphrase credential credentials key apikey')],
  ['time', words('date time start end when due day until from_date deadline timezone month year')],
  [
    'choice',
    words(
      'type kind mode format limit page count quantity size status state priority level sort force recursive confirm all dry language lang unit currency',
    ),
  ],
  [
    'id',
    words(
      'id ids number no ref reference sku code uuid slug ticket invoice order booking offer claim repo repository branch product item room model',
    ),
  ],
  [
    'text',
    words(
      'subject body text title description comment content message note notes summary name query reason label caption topic prompt thought memo edits oldtext newtext pattern keywords',
    ),
  ],
];

// What has a colon, a slash or a query before the at sign is the address of a page.
const MAIL = /^(?:mailto:)?[^\s@/:?#\\]{1,64}@[^\s@]+\.[^\s@]+$/i;
const WEB = /^(?:[a-z][a-z0-9+.-]*:\/\/|www\.)\S+$|^(?:[a-z0-9-]+\.)+[a-z]{2,}\/\S*$/i;
const IBAN = /^[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]{2,4}){2,8}$/;
const STAMP = /^\d{4}-\d{1,2}-\d{1,2}(?:[T ]\d{1,2}:\d{2}.*)?$|^\d{1,2}:\d{2}(?::\d{2})?$/;
const PATH = /^(?:[~.]{0,2}\/|[A-Za-z]:\\)\S*$/;

const ID = /^(?=\S*(?:\d|[\p{L}\p{N}][-_./:#@][\p{L}\p{N}]))\S{1,200}$/u;

/** The role that the form of a value alone suggests. */
export function roleOfShape(value: string): Role | undefined {
  const text = value.trim();
  if (MAIL.test(text) || IBAN.test(text)) return 'recipient';
  if (WEB.test(text)) return 'url';
  if (STAMP.test(text)) return 'time';
  if (PATH.test(text)) return 'path';
  return undefined;
}

// The number of an account or a telephone is a recipient, not an id.
const ACCOUNT = /(?:^| )(?:account|iban|bic|payee|beneficiary|phone|sort code|routing)(?: |$)/;

/** The name of an account, a telephone number or a part of one. People have those, so one in a result is no service's identifier. */
export function isAccountName(name: string): boolean {
  return ACCOUNT.test(wordsOfName(name).join(' '));
}

// The message that is answered, and nobody's address.
const ANSWERED = /^in_?reply_?to$/i;

/** The role of the last word that has one. The role `text` counts only if no word has another: `repo_name` is a repository. */
function roleOfName(name: string): Role | undefined {
  if (ANSWERED.test(name)) return 'id';
  const role = roleOfWords(name);
  return (role === 'id' || role === 'command') && isAccountName(name) ? 'recipient' : role;
}

function roleOfWords(name: string): Role | undefined {
  const roles = [...wordsOfName(name)].reverse().flatMap((word) => NAMED.find(([, all]) => all.has(word))?.[0] ?? []);
  return roles.find((role) => role !== 'text') ?? roles[0];
}

const FLAGS = words(
  'confirm confirmed run overwrite include exclude enabled disabled hidden private public read only draft notify urgent important silent verbose is has with',
);

/** A name with a word that is usual for arguments. Other names may be data. */
export function isKnownName(name: string): boolean {
  return roleOfName(name) !== undefined || wordsOfName(name).some((word) => FLAGS.has(word));
}

/** Roles whose values must not be read as anything weaker because of the argument's name. */
const STRONG: ReadonlySet<Role> = new Set(['recipient', 'url']);

/**
 * The role of a value, from the argument's name and the value's form. The stricter reading wins: a mail address in an argument
 * called `owner_id` is a recipient. In a text, a command and a secret, addresses are found separately.
 */
export function roleOf(name: string, value: string, isNumber: boolean): Role {
  const shape = isNumber ? undefined : roleOfShape(value);
  const named = roleOfName(name);
  if (named === 'url') return named;
  if (shape !== undefined && STRONG.has(shape) && named !== 'text' && named !== 'command' && named !== 'secret')
    return shape;
  if (named === 'time' || (shape === 'time' && named !== 'command')) return 'time';
  if (named !== undefined) return named;
  if (shape !== undefined) return shape;
  if (isNumber) return 'amount';
  // The argument's name does not help. `wipe-disks` and `A17` identify something, a plain word does not.
  return ID.test(value.trim()) ? 'id' : 'text';
}

/** Roles of values that say whom a call reaches, what it changes and what it runs. */
const POINTING: ReadonlySet<Role> = new Set(['recipient', 'url', 'id', 'command', 'secret']);
/** Effects that change a place. Elsewhere a path is where something is read or a command runs. */
const PLACED: ReadonlySet<Effect> = new Set(['write', 'configure', 'destroy']);

/** A value of this role says where a call with this effect goes, so the gate's table looks at it. */
export function isPointing(effect: Effect, role: Role): boolean {
  return role === 'path' ? PLACED.has(effect) : POINTING.has(role);
}
