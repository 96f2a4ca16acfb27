import type { Approval } from '../../api/types.ts';

/** One argument of a held call. */
export interface ShownArgument {
  readonly name: string;
  readonly value: string;
}

/** The short question about a held call: what it does, and the value that made it wait. */
export interface ShortQuestion {
  /** The tool in words, as "Send email". */
  readonly act: string;
  /** The word between the act and the value; empty if the value follows at once. */
  readonly link: string;
  /** Undefined if the call has no value that says more. */
  readonly value: string | undefined;
  /** The other values that decide what the call does, such as the amount of a payment. */
  readonly others: readonly ShownArgument[];
}

const RECIPIENTS = /^(?:to|cc|bcc|recipients?|e?mail|address(?:es)?|channel|user|attendees|participants)$/i;
const OBJECTS = /^(?:url|uri|link|href|path|file(?:name|path)?|command|cmd|query|name|title|id)$/i;

const FILES = /^(?:path|file|filename)$/i;

/** Parts of names whose values say how much, to whom or where. */
const DECIDING =
  /^(?:amount|total|sum|price|currency|quantity|iban|bic|account|wallet|payee|beneficiary|recipient|address|to|command|url|host|target|destination|role|branch)$/i;
/** Names of long texts, which are read under all arguments. */
const TEXTS = /^(?:subject|body|text|html|message|content|description|purpose|note|summary)$/i;

interface Leaf extends ShownArgument {
  readonly path: string;
}

/** The last name of a JSON pointer that is not a number. */
function nameIn(path: string): string {
  const names = path
    .split('/')
    .slice(1)
    .filter((name) => !/^\d+$/.test(name));
  return (names.at(-1) ?? '').replaceAll('~1', '/').replaceAll('~0', '~');
}

/** A name such as file_path, filePath or notebook-path says what `path` says. */
function namesObject(name: string): boolean {
  const last =
    name
      .replace(/([a-z\d])([A-Z])/g, '$1 $2')
      .split(/[\s_.-]+/)
      .at(-1) ?? '';
  return OBJECTS.test(name) || FILES.test(last);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The single values in a value, each with its JSON pointer. */
function leavesIn(value: unknown, path = ''): readonly Leaf[] {
  if (typeof value !== 'object' || value === null) return [{ path, name: nameIn(path), value: textOf(value) }];
  return Object.entries(value).flatMap(([name, each]) =>
    leavesIn(each, `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  );
}

function leavesOf({ question }: Approval): readonly Leaf[] {
  try {
    return leavesIn(JSON.parse(question.arguments));
  } catch {
    return [];
  }
}

function decides({ path, name }: Leaf, { question: { evidence, fixed = [] } }: Approval): boolean {
  if (evidence.some((each) => each.path === path)) return true;
  if (TEXTS.test(name)) return false;
  const words = name.replace(/([a-z\d])([A-Z])/g, '$1 $2').split(/[\s_.-]+/);
  return (
    fixed.includes(path) || RECIPIENTS.test(name) || namesObject(name) || words.some((word) => DECIDING.test(word))
  );
}

/** The values that decide, without the one that is shown already. */
function othersOf(approval: Approval, shown: string | undefined): readonly ShownArgument[] {
  const leaves = leavesOf(approval).filter((leaf) => decides(leaf, approval));
  const first = leaves.findIndex(({ value }) => value === shown);
  return leaves.filter((_, index) => index !== first).map(({ name, value }) => ({ name, value }));
}

/** The arguments as the agent wrote them; undefined if they are not an object. */
export function argumentsOf({ question }: Approval): readonly ShownArgument[] | undefined {
  try {
    const parsed: unknown = JSON.parse(question.arguments);
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return undefined;
    return Object.entries(parsed).map(([name, value]) => ({ name, value: textOf(value) }));
  } catch {
    return undefined;
  }
}

/** send_email, send-email and sendEmail as "Send email". */
function wordsOf(tool: string): string {
  const words = tool
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[_.\-/]+/g, ' ')
    .trim()
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function linkOf(name: string): string {
  if (RECIPIENTS.test(name)) return 'to';
  return namesObject(name) ? '' : `with ${name}`;
}

function mainOf(approval: Approval): Omit<ShortQuestion, 'others'> {
  const act = wordsOf(approval.question.tool);
  const [evidence] = approval.question.evidence;
  if (evidence !== undefined)
    return { act, link: linkOf(nameIn(evidence.path)), value: evidence.excerpt.match || undefined };
  const given = argumentsOf(approval) ?? [];
  const first = given.find(({ name }) => RECIPIENTS.test(name)) ?? given.find(({ name }) => namesObject(name));
  return first === undefined
    ? { act, link: '', value: undefined }
    : { act, link: linkOf(first.name), value: first.value };
}

/** The question of a held call, for a person who has three seconds. */
export function questionOf(approval: Approval): ShortQuestion {
  const main = mainOf(approval);
  return { ...main, others: othersOf(approval, main.value) };
}
