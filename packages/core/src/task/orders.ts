import { words } from '../base/words.ts';
import { type Ecosystem, type RequestableCommand, requestableCommands } from '../call/command/requestable.ts';
import { actWordsIn } from './requests.ts';
import { sentencesOf } from './sentences.ts';
import { foldAccents } from './word-matcher.ts';

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
/** "A validation library" has no name. */
const ARTICLES = words('the our my this der die das den le la les el los');
const ADJECTIVES = words('unused old obsolete stale outdated deprecated redundant leftover');
const FILES = words('file files datei dateien fichier fichiers archivo archivos');
const FOLDERS = words('folder folders directory directories dir ordner verzeichnis dossier carpeta');
const PACKAGES = words('package packages dependency module modules library plugin paket paquet paquete');
const JOINS = words(', ; and & then und dann et puis y');
/** Joins after which a new clause begins, and not another noun. */
const CLAUSE_JOINS = words('; then dann puis');
/** Words that are not a name, although they are where one can be. */
const NO_NAMES = words(
  'a an it them this that these those everything all anything something nothing one both none here there again now first then too also please thanks not only except but without instead never dependencies deps things stuff code what so from in of line lines types typings support hooks tools',
);
/** Folders that a build, a test run or an installation makes again. */
const BUILT = words(
  'dist build out target coverage tmp temp cache caches node_modules __pycache__ .cache .next .nuxt .output .turbo .vite .parcel-cache .svelte-kit .nyc_output .pytest_cache .mypy_cache .ruff_cache .tox .gradle .angular .expo',
);
/** Verbs that begin another clause, in addition to those of acts. */
const OTHER_VERBS = words(
  'fix refactor rewrite bump stop use commit push format lint review read look check go implement rename migrate upgrade downgrade rebuild rerun retry continue proceed try test build verify reset restart replace make keep describe summarise summarize explain update ensure',
);
/** After these, a clause says what something is or does, and not what is to be done. */
const SUBORDINATE = words(
  'to that which who when if how whether while should must will can says said told asks like as',
);

const LEADS =
  /^(?:[-*+\u2022]\s+|\d{1,3}[.)]\s+)?(?:(?:please|pls|now|then|next|first|finally|also|ok|okay|just|kindly|bitte|can you|could you|would you|will you|you can|i want you to|i would like you to|i'd like you to|let's|lets|go ahead and),?\s+)*/i;
/** Programs whose commands people type as they are: "git push", "npm install zod please". */
const PROGRAMS = words('git npm pnpm yarn bun pip pip3 uv poetry cargo');
const RUNS = /^(?:run|execute)\s+(?=\S)/i;
const IN_BACKTICKS = /^`([^`]+)`$/;
/** Where people push to: not the name of a branch. */
const REMOTES = words('origin remote upstream github gitlab bitbucket repo repository server');
/** After these, "push" is a verb and not the name of something. */
const PUSHED = words('it them everything all the my our this that these to origin');
const NAME = /^(?:@[\w.-]+\/)?\.?\w[\w./-]*(?:(?:@|==)\d[\w.+-]*)?$/;
/** A name that no plain word is. */
const MARKED = /[./_\d]|^@/;
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

const plain = (token: string | undefined): string => foldAccents(token ?? '');

function isVerb(token: string): boolean {
  return !MARKED.test(token) && (PROGRAMS.has(token) || OTHER_VERBS.has(plain(token)) || actWordsIn(token).length > 0);
}

/** The name in a token, without the marks around it. */
function nameIn(token: string | undefined): string | undefined {
  const bare = (token ?? '').replace(/^(["'`])(.+)\1$/, '$2').replace(/(?<=.)@latest$/, '');
  const name = bare.replace(/^\.\//, '').replace(/(?<=.)\/$/, '');
  const isWord = token === bare && (NO_NAMES.has(plain(name)) || nounOf(name) !== undefined);
  return NAME.test(name) && !isWord ? name : undefined;
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

function tailAt(tokens: readonly string[], at: number): string {
  const end = tokens.findIndex((token, index) => index >= at && JOINS.has(plain(token)));
  return plain(tokens.slice(at, end < 0 ? tokens.length : end).join(' '));
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
  const end = tokens.findIndex((token, index) => index > at && JOINS.has(plain(token)));
  const rest = tokens.slice(at + 1, end < 0 ? tokens.length : end);
  return /^(?:please|now|first|again|too)$/i.test(rest.at(-1) ?? '') ? rest.slice(0, -1) : rest;
}

/** What the user orders with the command itself: "npm install zod". */
function typedAt(tokens: readonly string[], at: number): Order[] {
  const rest = restOf(tokens, at);
  const commands = requestableCommands([tokens[at], ...rest].join(' ')) ?? [];
  return commands.flatMap(({ type, names, ecosystem }) => {
    const areNames = names.every((name) => nameIn(name) !== undefined && !SUBORDINATE.has(name));
    const ordered = type === 'push' && names.length === 0 ? [''] : names;
    return areNames ? ordered.map((name) => ({ type, name, ecosystem })) : [];
  });
}

/** The branch that the user wants pushed: "push it to origin main". Pushing is a verb in doubt only with an object or after a commit. */
function pushedAt({ tokens, at, isDoubtful }: Clause): Order[] {
  const rest = restOf(tokens, at);
  const isCommitted = tokens.slice(0, at).some((token) => plain(token) === 'commit');
  if (isDoubtful && !isCommitted && !PUSHED.has(plain(rest[0]))) return [];
  const to = rest.findLastIndex((token) => plain(token) === 'to');
  const [first = '', second = first] = rest
    .slice(to + 1)
    .filter((token) => !ARTICLES.has(plain(token)) && token !== 'branch');
  const isPlace = to >= 0 || REMOTES.has(plain(first));
  const name = REMOTES.has(plain(first)) ? second : first;
  const branch = name.replace(/^origin\//, '');
  return [{ type: 'push', name: isPlace && !REMOTES.has(plain(branch)) ? branch : '', ecosystem: undefined }];
}

function ordersAt(clause: Clause): Order[] {
  const { tokens, at, isDoubtful, using } = clause;
  const verb = plain(tokens[at]);
  if (PROGRAMS.has(verb)) return typedAt(tokens, at);
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

/**
 * What the user orders by name, in their own words: "install zod and use it", "clean the dist folder". One clause has the verb and
 * the names; a name anywhere else says nothing. Linear in the text.
 *
 * @example
 * ```ts
 * ordersIn('Delete the dist folder.'); // [{ type: 'delete', name: 'dist', ecosystem: undefined }]
 * ordersIn('Fix the tests of dist.'); // []
 * ```
 */
export function ordersIn(own: string): Order[] {
  const typed = typedIn(own);
  return sentencesOf(typed).flatMap(({ start, end }) => {
    const sentence = typed
      .slice(start, end)
      .trim()
      .replace(LEADS, '')
      .replace(RUNS, '')
      .replace(/[.!?]+$/, '')
      .replace(IN_BACKTICKS, '$1');
    const using = USING.exec(sentence)?.[1]?.toLowerCase();
    const tokens = sentence.replace(USING, '').match(/[^\s,;]+|[,;]/g) ?? [];
    const first = ordersAt({ tokens, at: 0, isDoubtful: false, using });
    if (!isVerb(tokens[0] ?? '')) return first;
    const subordinate = tokens.findIndex((token) => SUBORDINATE.has(plain(token)));
    const last = subordinate < 0 ? tokens.length : subordinate;
    const others = tokens.flatMap((token, index) => {
      if (!JOINS.has(plain(token)) || index >= last) return [];
      const isDoubtful = first.length === 0 && !CLAUSE_JOINS.has(plain(token));
      return ordersAt({ tokens, at: index + 1, isDoubtful, using });
    });
    return [...first, ...others];
  });
}

/** Whether a text has a name as a word: then a prohibition may be about it. */
export function hasName(text: string, name: string): boolean {
  return text.split(/[\s,;"'`]+/).some((token) => nameIn(token.replace(/[.!?:]+$/, '')) === name);
}
