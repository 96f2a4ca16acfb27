import { parseJson } from '../base/parse-json.ts';
import { words } from '../base/words.ts';
import { isTelling, type Role } from '../call/role.ts';
import { wordsOfName } from '../call/verbs.ts';
import { type Argument, pointer } from '../provenance/trace-call.ts';
import { objectsOf } from '../task/setting-name.ts';
import type { GateQuestion } from './decision.ts';
import { isVouched } from './rules.ts';

/** Roles of values that say what a setting becomes. */
const VALUES: ReadonlySet<Role> = new Set(['amount', 'choice', 'text']);
/** Words of a name that say nothing of what is set: `enabled`, `new_value`. */
const GENERIC = words(
  'value values new enable enabled disable disabled active on off state status is has set setting settings option options config to',
);
/** Names of values that set nothing. */
const REMARKS = words('reason comment comments note notes notify silent quiet confirm confirmed dry run force verbose');
/** Names of texts that word what the user asked for. */
const WORDING = words('title subject body text content message description summary caption topic label');
/** Names of arguments that say whose setting it is. */
const OWNERS = words(
  'user users username owner account accounts customer member person profile email mail handle contact',
);
/** Values that say nothing without the name of their setting. */
const SWITCHES = words('on off true false yes no none all any enabled disabled enable disable default');

/** A value that a setting gets. */
interface Setting {
  /** The keys around it, from the top. */
  readonly keys: readonly string[];
  /** Undefined for `true` and `false`. */
  readonly argument: Argument | undefined;
}

function keysOf(path: string): readonly string[] {
  return path
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
    .filter((key) => !/^\d+$/.test(key));
}

/** The paths of `true` and `false`, which have no provenance. */
function switchesIn(argumentsJson: string): readonly string[] {
  const found: string[] = [];
  const left: { readonly path: string; readonly value: unknown }[] = [{ path: '', value: parseJson(argumentsJson) }];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { path, value } = next;
    if (typeof value === 'boolean') found.push(path);
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, member] of Object.entries(value)) left.push({ path: pointer(path, key), value: member });
  }
  return found;
}

function settingsIn({ call, arguments: all }: GateQuestion): readonly Setting[] {
  const values = all.filter(({ role, isKey, isFree }) => VALUES.has(role) && !isKey && !isFree);
  const settings = [
    ...values.map((argument) => ({ keys: keysOf(argument.path), argument })),
    ...switchesIn(call.argumentsJson).map((path) => ({ keys: keysOf(path), argument: undefined })),
  ];
  return settings.filter(({ keys }) => !wordsOfName(keys.at(-1) ?? '').some((word) => REMARKS.has(word)));
}

/** The words of the nearest name that says what is set. */
function nameOf({ keys }: Setting, isSaid: (word: string) => boolean): readonly string[] {
  return (
    keys
      .map((key) => wordsOfName(key).filter((word) => !isSaid(word) && !GENERIC.has(word)))
      .findLast(({ length }) => length > 0) ?? []
  );
}

/** Whether the user gave a value, in their own words. */
function isGiven({ hasSaid, trace }: GateQuestion, { text, role }: Argument): boolean {
  const said = wordsOfName(text);
  if (said.every((word) => SWITCHES.has(word))) return false;
  return /\p{N}/u.test(text) ? trace(text, role).vouchedBy !== undefined : hasSaid(said);
}

/** Whether a value is a part of what the user named with the tool: `mode` of a limit, the title of an event. A person has ranks. */
function isDetail({ arguments: all }: GateQuestion, { keys, argument }: Setting): boolean {
  if (argument?.role === 'choice') return !all.some(({ role }) => role === 'recipient' || role === 'id');
  const isWording = wordsOfName(keys.at(-1) ?? '').some((word) => WORDING.has(word));
  return argument?.role === 'amount' || (argument?.role === 'text' && isWording);
}

/** Whether the user named a setting or gave its value: `plainly`, or with what the tool or another value sets. */
function ofUser(question: GateQuestion, setting: Setting): 'plainly' | 'with others' | undefined {
  const { call, hasSaid, isObjectNamed } = question;
  const isNamedTool = isObjectNamed && objectsOf(call.tool).length > 0;
  const ofTool = new Set(isNamedTool ? wordsOfName(call.tool) : []);
  const name = nameOf(setting, (word) => ofTool.has(word));
  const isNamed = name.length > 0 && hasSaid(name);
  if (isNamed || (setting.argument !== undefined && isGiven(question, setting.argument))) return 'plainly';
  const belongs = (isObjectNamed && name.length === 0) || (isNamedTool && isDetail(question, setting));
  return belongs ? 'with others' : undefined;
}

/** Whether the user gave what a tool sets, and not only whose setting it is. */
function hasOwnValue({ arguments: all }: GateQuestion): boolean {
  return all.some((each) => {
    const [last = ''] = wordsOfName(keysOf(each.path).at(-1) ?? '').slice(-1);
    const isWhose = each.role === 'id' || (each.role === 'recipient' && OWNERS.has(last));
    return isTelling(each.role) && !isWhose && isVouched(each);
  });
}

/** Whether the user asked for a setting, but did not name this one: an address that moved is not where mails are forwarded. */
export function isOtherSetting({ effect, asked, isObjectNamed, isDelegated }: GateQuestion): boolean {
  return effect === 'configure' && asked === 'asked' && !isObjectNamed && !isDelegated;
}

/**
 * Whether a call sets what the user neither named nor gave a value. An id, a person or an account says whose setting it is. A file
 * that acts later is named by its path.
 */
export function setsOther(question: GateQuestion): boolean {
  const { call, effect, asked, isDelegated, tool } = question;
  if (effect !== 'configure' || asked !== 'asked' || isDelegated) return false;
  const settings = tool?.effect === 'configure' ? settingsIn(question) : [];
  const found = settings.map((setting) => ofUser(question, setting));
  if (found.includes(undefined)) return true;
  // The name of the tool says what is set, or a value of it does.
  const isSaid = question.isObjectNamed && (objectsOf(call.tool).length > 0 || found.length === 0);
  return !isSaid && !found.includes('plainly') && !hasOwnValue(question);
}
