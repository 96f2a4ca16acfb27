import { isTelling, type Role, roleOfName } from '../call/role.ts';
import { wordsOfName } from '../call/verbs.ts';
import { PLACE, TypedValues } from './typed-values.ts';
import { stemOf } from './word-matcher.ts';

const NAME = /\p{Lu}\p{Ll}{2,}/gu;
// Words that often start a sentence. Any other capitalised word of the user may be a name.
const NO_PEOPLE: ReadonlySet<string> = new Set(
  [
    'this that there here what who which how when where why they all one these those inbox mail email mails emails',
    'please could can would will should may might must let lets the for from with and but also then after before while',
    'you your our his her their its she him send reply answer pay buy book order delete remove create make add open read find',
    'look check get help show tell put set save write summarise summarize sum update change move copy download visit transfer',
    'forward share invite schedule reserve cancel run install fix build test deploy use have has had was were are did does',
    'thanks thank hello dear today tomorrow yesterday next last first second new also just now finally specific',
    'monday tuesday wednesday thursday friday saturday sunday january february march april may june july august',
    'september october november december',
  ].flatMap((line) => line.split(' ')),
);

/**
 * The people that a text may name, in lower case: every capitalised word that is not common at the start of a sentence.
 */
export function peopleIn(text: string): string[] {
  return Array.from(text.matchAll(NAME), ([word]) => word.toLowerCase()).filter((word) => !NO_PEOPLE.has(word));
}

/** The words of a name by which a mail address can show a person, in lower case. */
export function wordsOfPerson(name: string): string[] {
  return name.toLowerCase().match(/\p{L}{3,}/gu) ?? [];
}

const MAIL = /^[^\s<>@]{1,64}@[^\s<>@]+$/;

export function isMailAddress(text: string): boolean {
  return MAIL.test(text);
}

// A token with a sign or a digit inside: `acme/site`, `INV-2031`, `report.pdf`.
const OBJECT = /(?<![\p{L}\p{N}])(?=\S{0,82}[\d/_-])[\p{L}\p{N}][\p{L}\p{N}/_.-]{4,80}[\p{L}\p{N}]/gu;

/** The things that a text names by an identifier, in lower case. */
function objectsIn(text: string): string[] {
  return Array.from(text.matchAll(OBJECT), ([token]) => token.toLowerCase());
}

/** A path in one spelling, without `//`, `/./` and a slash at its end. */
function plainPath(text: string): string {
  const path = text
    .trim()
    .replaceAll('\\', '/')
    .replace(/^file:\/\//, '');
  return path.replace(/\/(?:\.?\/)+/g, '/').replace(/(?:\/\.?)+$/, '');
}

function placesIn(text: string): string[] {
  return Array.from(text.matchAll(PLACE), ([token]) => plainPath(token.replace(/[.,;:!?]+$/, ''))).filter((place) =>
    /[\p{L}\p{N}]/u.test(place.slice(place.indexOf('/'))),
  );
}

function isWithin(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}/`);
}

/** A path for comparison: its names in lower case, as some systems compare them, without steps up and back. */
interface Steps {
  readonly isAbsolute: boolean;
  readonly names: readonly string[];
}

function stepsOf(path: string): Steps {
  const plain = plainPath(path).toLowerCase();
  const names: string[] = [];
  for (const name of plain.split('/')) {
    if (name === '..') names.pop();
    else if (name !== '' && name !== '.' && name !== '~') names.push(name);
  }
  return { isAbsolute: plain.startsWith('/'), names };
}

/** Whether one path is the other or is above it, from one of its names on. */
function meetAt(one: readonly string[], other: readonly string[], from: number): boolean {
  const length = Math.min(one.length, other.length - from);
  for (let index = 0; index < length; index++) if (one[index] !== other[from + index]) return false;
  return true;
}

/** Whether two paths can be the same or one above the other. Where a relative path begins is not known. */
function canMeet(one: Steps, other: Steps): boolean {
  if (one.isAbsolute && other.isAbsolute) return meetAt(one.names, other.names, 0);
  const isFound = (relative: Steps, { names }: Steps): boolean =>
    !relative.isAbsolute && names.some((_, from) => meetAt(relative.names, names, from));
  return isFound(one, other) || isFound(other, one);
}

/** After this many changes, any place may have been changed. */
const MAX_CHANGES = 1000;

/** What the user named in their own words: people, things, places and what records say about things. */
export class Mentions {
  /** The people, in lower case. */
  readonly people: Set<string> = new Set();
  readonly #objects = new Set<string>();
  readonly #places = new Set<string>();
  readonly #stems = new Set<string>();
  readonly #changed = new Map<string, Steps>();
  readonly #typed = new TypedValues();
  #isAnyChanged = false;

  hear(own: string): void {
    this.#typed.hear(own);
    for (const name of peopleIn(own)) this.people.add(name);
    for (const object of objectsIn(own)) this.#objects.add(object);
    for (const place of placesIn(own)) this.#places.add(place);
    for (const word of wordsOfName(own)) this.#stems.add(stemOf(word));
  }

  /** Takes in names and values that the application says the user named. */
  add(people: Iterable<string>, values: readonly string[]): void {
    for (const person of people) this.people.add(person);
    for (const object of values.flatMap(objectsIn)) this.#objects.add(object);
  }

  /** Whether the user named the person whose mail address this is. */
  isPerson(address: string): boolean {
    const [, local] = /^([^\s@]{1,64})@[^\s@]+$/.exec(address.trim()) ?? [];
    const [first] = local?.toLowerCase().match(/\p{L}{3,}/gu) ?? [];
    return first !== undefined && this.people.has(first);
  }

  /** Whether a text has an identifier that the user typed or a name that they said, such as the repository that a link is about. */
  isIn(text: string): boolean {
    const searched = text.toLowerCase();
    return [...this.#objects, ...this.people].some((object) => {
      const at = searched.indexOf(object);
      const isBounded = (unit: string | undefined): boolean => !/[\p{L}\p{N}]/u.test(unit ?? '');
      return at >= 0 && isBounded(searched[at - 1]) && isBounded(searched[at + object.length]);
    });
  }

  /** Whether the user said the name of a field, such as `collaborators`. */
  isField(name: string): boolean {
    const role = roleOfName(name);
    if (role === undefined || !isTelling(role)) return false;
    const words = wordsOfName(name);
    return words.length > 0 && words.every((word) => this.#stems.has(stemOf(word)));
  }

  /** Whether the user named a value for a role, so that they did not leave it to content. */
  hasTyped(role: Role): boolean {
    return this.#typed.has(role);
  }

  /** The amounts that the user typed, with the words around them. */
  get amounts(): readonly string[] {
    return this.#typed.amounts;
  }

  /** Records a value with which a call looked something up: it says where to look, and not what to do with what is found. */
  recordRead(value: string): void {
    this.#typed.recordRead(value);
  }

  /** Records that a call wrote to a path: the user may not know what is there now. */
  recordChange(path: string): void {
    if (this.#changed.size < MAX_CHANGES) this.#changed.set(path, stepsOf(path));
    else this.recordUnreadChange();
  }

  /** Records that a call may have written to any path, because it was too large to read. */
  recordUnreadChange(): void {
    this.#isAnyChanged = true;
  }

  /** Whether a path is at a place that the user typed, where this conversation has changed nothing. */
  isInPlace(given: string): boolean {
    const path = plainPath(given);
    if (path.split('/').includes('..') || ![...this.#places].some((place) => isWithin(path, place))) return false;
    const steps = stepsOf(path);
    return !this.#isAnyChanged && ![...this.#changed.values()].some((each) => canMeet(each, steps));
  }
}
