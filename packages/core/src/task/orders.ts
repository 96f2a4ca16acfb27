import { words } from '../base/words.ts';
import { type Ecosystem, type RequestableCommand, requestableCommands } from '../call/command/requestable.ts';
import {
  ARTICLES,
  CLAUSE_JOINS,
  isVerb,
  JOINS,
  MARKED,
  PROGRAMS,
  plain,
  subordinateAt,
  tokensOf,
  withoutLead,
} from './clauses.ts';
import { PAIRED, pushedIn } from './pushes.ts';
import { sentencesOf } from './sentences.ts';

/** What the user wants installed, uninstalled, deleted or pushed: one name in the imperative clause of its verb. */
export interface Order {
  readonly type: RequestableCommand['type'];
  /** Empty for the branch that is checked out. */
  readonly name: string;
  /** The package manager that the user says; undefined if they leave it open. */
  readonly ecosystem: Ecosystem | undefined;
}

/**
 * What makes a word after a verb the name that the verb orders. `named`: that it is there. `marked`: it is spelled like a path, or
 * a noun says what it is. `packaged`: a noun says that it is a package. `built`: it is built again.
 */
type Need = 'named' | 'marked' | 'packaged' | 'built';

/** The verbs of orders. */
const VERBS: readonly (readonly [Order['type'], Need, ReadonlySet<string>])[] = [
  ['install', 'named', words('install reinstall installiere installier installe installez instala')],
  ['install', 'packaged', words('add')],
  ['uninstall', 'named', words('uninstall deinstalliere desinstalle desinstalla')],
  ['delete', 'named', words('delete rm losche losch supprime supprimez borra')],
  ['delete', 'marked', words('remove entferne elimina')],
  ['delete', 'built', words('clean clear')],
];
const PARTICLES = words('up out');
const ADJECTIVES = words('unused old obsolete stale outdated deprecated redundant leftover');
const FILES = words('file files datei dateien fichier fichiers archivo archivos');
const FOLDERS = words('folder folders directory directories dir ordner verzeichnis dossier carpeta');
const PACKAGES = words('package packages dependency module modules library plugin paket paquet paquete');
/** Words that are not a name, although they are where one can be. */
const NO_NAMES = words(
  'a an it them this that these those everything all anything something nothing one both none here there again now first then too also please thanks not only except but without instead never dependencies deps things stuff code what so from in of line lines types typings support hooks tools',
);
/** Folders that a build, a test run or an installation makes again. */
const BUILT = words(
  'dist build out target coverage tmp temp cache caches node_modules __pycache__ .cache .next .nuxt .output .turbo .vite .parcel-cache .svelte-kit .nyc_output .pytest_cache .mypy_cache .ruff_cache .tox .gradle .angular .expo',
);
const RUNS = new RegExp(`^(?:run|execute)\\s+(?=\`?(?:${[...PROGRAMS].join('|')})\\s)`, 'i');
const IN_BACKTICKS = /^`([^`]+)`$/;
const NAME = /^(?:@[\w.-]+\/)?\.?\w[\w./-]*(?:(?:@|==)\d[\w.+-]*)?$/;
/** What belongs to an object of a program: `console.log` does not name a file. */
const MEMBER =
  /^(?:console|process|window|document|module|math|json|object|array|promise|self|this)\.(?!(?:[cm]?[jt]sx?|py|rb|go|rs|php|java|md|txt|json|ya?ml|pdf|html?|css|csv|docx?)$)\w+$/i;
/** A name that is spelled as a path. */
const PATH = /[./]/;
const PLACE =
  '(?:the|this|my|our) (?:\\w+ )?(?:project|repo|repository|app|workspace|dependencies|devdependencies|package.json)';
const AS = 'as (?:an? )?(?:(?:new|dev|development|runtime|peer) )?(?:dependency|dependencies)';
/** That something is added to these says that it is a package. */
const DEPENDENCY = new RegExp(`(?:^${AS}|\\b(?:dev)?dependencies)(?: now| please| first)?$`);
const INTO = new RegExp(`^(?:(?:to|in|into) ${PLACE}|${AS})(?: now| please| first)?$`);
const OUT_OF = new RegExp(`^from ${PLACE}$`);
const MANAGERS = 'npm|pnpm|yarn|bun|pip|pypi|uv|poetry|cargo|crates\\.io';
const WITH = new RegExp(`^(?:with|using|via|from|through) (${MANAGERS})$`);
const USING = new RegExp(`^use (${MANAGERS}) to (?=\\S)`, 'i');
const PURPOSE = /^for [\w-]+(?: [\w-]+){0,3}$/;
const ADVERBS = /^(?:now|please|first|again|for me|completely|entirely|too)?$/;
const ECOSYSTEMS: Readonly<Record<string, Ecosystem>> = {
  pip: 'pip',
  pypi: 'pip',
  uv: 'pip',
  poetry: 'pip',
  cargo: 'cargo',
  'crates.io': 'cargo',
};

/** From such a line on, a message holds what a program printed or a page said. */
const PASTED = /```|~~~|\bERR!|\b(?:error|warning|warn|traceback|npm)\b.{0,80}[:!]|^\s+at |^\s*[$>#|[]|:\s*$/i;

/** The lines of a message before anything that is pasted. A line that ends with a colon announces it. */
function typedIn(text: string): string {
  const lines = text.split('\n');
  const pasted = lines.findIndex((line) => PASTED.test(line));
  return pasted < 0 ? text : lines.slice(0, pasted).join('\n');
}

/** The name in a token, without the marks around it. */
function nameIn(token: string | undefined): string | undefined {
  const bare = (token ?? '').replace(/^(["'`])(.+)\1$/, '$2').replace(/(?<=.)@latest$/, '');
  const name = bare.replace(/^\.\//, '').replace(/(?<=.)\/$/, '');
  const isWord = token === bare && (NO_NAMES.has(plain(name)) || nounOf(name) !== undefined);
  return NAME.test(name) && !MEMBER.test(name) && !isWord ? name : undefined;
}

type Noun = 'file' | 'folder' | 'package';

/** The objects of a verb: names, with nothing between them but articles, nouns and conjunctions. */
interface Objects {
  readonly names: readonly string[];
  readonly hasArticle: boolean;
  readonly noun: Noun | undefined;
  /** What follows in the clause. */
  readonly tail: string;
}

function nounOf(token: string | undefined): Noun | undefined {
  const word = plain(token);
  if (FILES.has(word)) return 'file';
  if (FOLDERS.has(word)) return 'folder';
  return PACKAGES.has(word) ? 'package' : undefined;
}

/** Where the words from a place on end, at a join. */
function endAt(tokens: readonly string[], at: number): number {
  let end = at;
  while (end < tokens.length && !JOINS.has(plain(tokens[end]))) end++;
  return end;
}

function tailAt(tokens: readonly string[], at: number): string {
  return plain(tokens.slice(at, endAt(tokens, at)).join(' '));
}

function isTail(tail: string, type: Order['type']): boolean {
  const isPurpose = type === 'install' && PURPOSE.test(tail);
  return isPurpose || [ADVERBS, INTO, OUT_OF, WITH].some((pattern) => pattern.test(tail));
}

/** Where the name of an object begins, after an article and adjectives: "the unused file src/old.ts". */
function startOfName(tokens: readonly string[], from: number): number {
  let at = ARTICLES.has(plain(tokens[from])) ? from + 1 : from;
  while (at > from && ADJECTIVES.has(plain(tokens[at]))) at++;
  return at;
}

/** One object of a verb, with its article and its noun; `unclear` if a word before "files" may be no name: "the test files". */
function objectAt(tokens: readonly string[], from: number, type: Order['type'], isFirst: boolean) {
  const hasArticle = ARTICLES.has(plain(tokens[from]));
  const start = startOfName(tokens, from);
  const before = nounOf(tokens[start]);
  const at = before === undefined ? start : start + 1;
  const after = nounOf(tokens[at + 1]);
  const name = nameIn(tokens[at]);
  const noun = before ?? after;
  const end = after === undefined ? at + 1 : at + 2;
  // Another clause: "and use it", "and src must stay".
  const isOther = !isFirst && noun === undefined && isVerb(tokens[at] ?? '');
  if (name === undefined || isOther) return undefined;
  if (after === 'file' && !PATH.test(name)) return 'unclear';
  return isTail(tailAt(tokens, end), type) ? { name, hasArticle, noun, end } : undefined;
}

function objectsAt(tokens: readonly string[], from: number, type: Order['type']): Objects | undefined {
  const found: Exclude<ReturnType<typeof objectAt>, undefined | 'unclear'>[] = [];
  for (let at = from; ; ) {
    const object = objectAt(tokens, at, type, found.length === 0);
    if (object === 'unclear') return undefined;
    if (object === undefined) break;
    found.push(object);
    if (!JOINS.has(plain(tokens[object.end]))) break;
    at = object.end + 1;
  }
  const last = found.at(-1);
  if (last === undefined) return undefined;
  return {
    names: found.map(({ name }) => name),
    hasArticle: found.some((object) => object.hasArticle),
    noun: found.findLast(({ noun }) => noun !== undefined)?.noun,
    tail: tailAt(tokens, last.end),
  };
}

/** Whether a name is of something that is built again. */
function isBuilt(name: string): boolean {
  return BUILT.has(name.split('/').at(-1) ?? '');
}

/** A clause that may order something. */
interface Clause {
  readonly tokens: readonly string[];
  /** Where its verb is. */
  readonly at: number;
  /** Whether it may be the end of a list of nouns instead: "check create, read and delete tests". */
  readonly isDoubtful: boolean;
  /** The package manager that the user says before it. */
  readonly using: string | undefined;
  /** Whether it is marked as a command: all of its words are. */
  readonly isMarked: boolean;
}

function ecosystemOf(manager: string | undefined): Ecosystem | undefined {
  return manager === undefined ? undefined : (ECOSYSTEMS[manager] ?? 'npm');
}

/** What a verb orders with its objects. */
interface Meant {
  readonly type: Order['type'];
  readonly need: Need;
  /** Whether something says that each name is one. */
  readonly isMarked: boolean;
}

function meantBy(verb: string, { noun, hasArticle, tail }: Objects, isPackage: boolean): Meant | undefined {
  const [verbType, need] = VERBS.find(([, , verbs]) => verbs.has(verb)) ?? [];
  if (verbType === undefined || need === undefined || (need === 'packaged' && !isPackage)) return undefined;
  const isOfProject = noun === 'package' || (verbType === 'delete' ? OUT_OF : INTO).test(tail);
  const isPlace = noun === 'file' || noun === 'folder';
  // "Remove the lodash package" is about a package, "install the folder" about nothing that can be installed.
  const type = verbType === 'delete' && isOfProject ? 'uninstall' : verbType;
  if ((type === 'delete') !== isPlace && noun !== undefined && !isOfProject) return undefined;
  const isMarked = noun !== undefined || isOfProject;
  return hasArticle && !isMarked ? undefined : { type, need, isMarked };
}

/** What is ordered for one of the names. */
function typesFor(name: string, { type, need, isMarked }: Meant, isDoubtful: boolean): readonly Order['type'][] {
  const isPath = type === 'delete' && PATH.test(name);
  if ((isDoubtful && !isMarked && !isPath) || (need === 'built' && type === 'delete' && !isBuilt(name))) return [];
  if (need !== 'marked' || isMarked) return [type];
  // "Remove lodash": a package, unless it is a path.
  return MARKED.test(name) ? ['delete', 'uninstall'] : ['uninstall'];
}

/** The tokens of a clause after its first, without what is only polite. */
function restOf(tokens: readonly string[], at: number): readonly string[] {
  const rest = tokens.slice(at + 1, endAt(tokens, at + 1));
  return /^(?:please|now|first|again|too)$/i.test(rest.at(-1) ?? '') ? rest.slice(0, -1) : rest;
}

/** What the user orders with the command itself: "npm install zod". In a sentence, more words may say what it does. */
function typedAt({ tokens, at, isMarked }: Clause): Order[] {
  const rest = restOf(tokens, at);
  const commands = requestableCommands([tokens[at], ...rest].join(' ')) ?? [];
  return commands.flatMap(({ type, names, ecosystem }) => {
    const areNames = names.every((name) => nameIn(name) !== undefined) && (isMarked || names.length < 2);
    const ordered = type === 'push' && names.length === 0 ? [''] : names;
    return areNames ? ordered.map((name) => ({ type, name, ecosystem })) : [];
  });
}

/** The branch that the user wants pushed: "push it to origin main". */
function pushedAt({ tokens, at }: Clause): Order[] {
  let before = at - 1;
  while (before > 0 && JOINS.has(plain(tokens[before]))) before--;
  const name = before > 0 && PAIRED.has(plain(tokens[before])) ? undefined : pushedIn(restOf(tokens, at));
  return name === undefined ? [] : [{ type: 'push', name: name === 'HEAD' ? '' : name, ecosystem: undefined }];
}

function ordersAt(clause: Clause): Order[] {
  const { tokens, at, isDoubtful, using } = clause;
  const verb = plain(tokens[at]);
  if (PROGRAMS.has(verb)) return typedAt(clause);
  if (verb === 'push') return pushedAt(clause);
  const verbType = VERBS.find(([, , verbs]) => verbs.has(verb))?.[0];
  const from = at + (PARTICLES.has(plain(tokens[at + 1])) ? 2 : 1);
  const objects = verbType === undefined ? undefined : objectsAt(tokens, from, verbType);
  if (objects === undefined) return [];
  const ecosystem = ecosystemOf(WITH.exec(objects.tail)?.[1] ?? using);
  const isPackage = objects.noun === 'package' || ecosystem !== undefined || DEPENDENCY.test(objects.tail);
  const meant = meantBy(verb, objects, isPackage);
  if (meant === undefined) return [];
  return objects.names.flatMap((name) => typesFor(name, meant, isDoubtful).map((type) => ({ type, name, ecosystem })));
}

/** The clauses of a sentence that may order something. */
function clausesOf(sentence: string): Clause[] {
  const using = USING.exec(sentence)?.[1]?.toLowerCase();
  const isMarked = IN_BACKTICKS.test(sentence);
  const tokens = tokensOf(sentence.replace(IN_BACKTICKS, '$1').replace(USING, ''));
  const first = { tokens, at: 0, isDoubtful: false, using, isMarked };
  if (!isVerb(tokens[0] ?? '')) return [first];
  const last = subordinateAt(tokens);
  const others = tokens.flatMap((token, index) =>
    JOINS.has(plain(token)) && index < last
      ? [{ ...first, at: index + 1, isDoubtful: !CLAUSE_JOINS.has(plain(token)) }]
      : [],
  );
  return [first, ...others];
}

/**
 * What the user orders by name, in their own words: "install zod and use it", "clean the dist folder". One clause has the verb and
 * the names; a name anywhere else says nothing. `said` is the text with what is blank in the own words: "push does not work" has
 * the own word "push", which orders nothing. Linear in the text.
 *
 * @example
 * ```ts
 * ordersIn('Delete the dist folder.'); // [{ type: 'delete', name: 'dist', ecosystem: undefined }]
 * ordersIn('Fix the tests of dist.'); // []
 * ```
 */
export function ordersIn(own: string, said: string = own): Order[] {
  const typed = typedIn(own);
  return sentencesOf(typed).flatMap(({ start, end }) => {
    const raw = typed.slice(start, end).trimEnd();
    const isCut = said.slice(start + raw.length, end).trim() !== '';
    const sentence = withoutLead(raw.trim())
      .replace(RUNS, '')
      .replace(/[.!?]+$/, '')
      .replace(/\s(?:but|and)$/, ' ;');
    let hasOrder = false;
    return clausesOf(sentence).flatMap((clause) => {
      if (isCut && endAt(clause.tokens, clause.at + 1) === clause.tokens.length) return [];
      const orders = ordersAt({ ...clause, isDoubtful: clause.isDoubtful && !hasOrder });
      hasOrder ||= clause.at === 0 && orders.length > 0;
      return orders;
    });
  });
}

/** The names that a text has as words: a prohibition may be about each. */
export function namesIn(text: string): ReadonlySet<string> {
  const tokens = text.split(/[\s,;"'`]+/);
  return new Set(tokens.map((token) => nameIn(token.replace(/[.!?:]{1,3}$/, ''))).filter((name) => name !== undefined));
}
