// Selects the documents for training, and those for development and calibration. Test sources are never opened here.
import { Composer, crop, type Host } from '../compose/compose.ts';
import { FORMAT_NAMES, FORMATS, type FormatName } from '../compose/formats.ts';
import { CLOSE, OPEN, unmark } from '../compose/insert.ts';
import { outputs } from '../compose/outputs.ts';
import type { Item } from '../corpus.ts';
import type { Document } from '../document.ts';
import { Random } from '../random.ts';

/** Whole sources that are never used for training, so that development sees what a new source is like. */
const KEPT_BACK: ReadonlySet<string> = new Set([
  'own:injections/en-home-health',
  'own:injections/en-chat-social',
  'own:injections/plain-travel',
  'own:wrappers/en-authority',
  'own:benign/mail-customers',
  'own:benign/trigger-prose',
  'own:benign/hard-b',
  ...'ben_18f ben_clilogs ben_contrib ben_gitlog ben_mcp_docs ben_npm_a ben_octokit ben_openshift_runbooks'.split(' '),
  ...'ben_spamassassin ben_sweagent ben_tacofancy'.split(' '),
]);

/** Prompts to models, which are neither attacks nor what a tool returns. */
const GRAY: ReadonlySet<string> = new Set(['ben_taubench']);

export const FOLDS = 5;

function hashOf(text: string): number {
  let hash = 7;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 8;
}

/** Which part of the families a planted text belongs to. The first is never used for training. */
export function foldOf(family: string): number {
  return hashOf(family) % FOLDS;
}

function familyOf({ words, brief }: Item): string {
  return words[4] ?? brief;
}

/** Whether an item is never used for training. Of languages with one source, some texts are kept back. */
export function isDev(item: Item): boolean {
  if (item.kind === 'planted') return foldOf(familyOf(item)) === 0;
  if (KEPT_BACK.has(`own:${item.brief}`)) return true;
  return (item.kind === 'benign' || item.kind === 'mention') && hashOf(item.text) % 10 === 0;
}

export interface Sets {
  readonly train: readonly Document[];
  readonly dev: readonly DevDocument[];
}

/** A document of the development set, in one of its formats. */
export interface DevDocument extends Document {
  readonly format: FormatName;
}

export interface AssembleOptions {
  readonly seed: number;
  /** The number of documents with each injection, each planted text, and each benign text. */
  readonly injectedTimes: number;
  readonly plantedTimes: number;
  readonly benignTimes: number;
  /** The number of texts as programs print them. */
  readonly outputs: number;
  readonly corpus: boolean;
  /** A further part of the families that is left out of training. */
  readonly leftOut?: number | undefined;
}

function hostsOf(documents: readonly Document[]): Host[] {
  return documents
    .filter(({ injected, source }) => !injected && source !== 'piarena')
    .map(({ text, channel, lang }) => ({ text, channel, lang }));
}

function composerOf(items: readonly Item[], hosts: readonly Document[], seed: number): Composer {
  const of = (kind: Item['kind']) => items.filter((item) => item.kind === kind);
  return new Composer(new Random(seed), {
    injections: of('injection'),
    wrappers: of('wrapper'),
    benign: of('benign'),
    mentions: of('mention'),
    hosts: hostsOf(hosts),
  });
}

function composed(
  items: readonly Item[],
  hosts: readonly Document[],
  options: AssembleOptions,
  seed: number,
): Document[] {
  const composer = composerOf(items, hosts, seed);
  const documents: Document[] = [];
  const times = (kind: Item['kind'], count: number, make: (item: Item) => Document): void => {
    for (let time = 0; time < count; time++)
      for (const item of items) if (item.kind === kind) documents.push(make(item));
  };
  times('injection', options.injectedTimes, (item) => composer.injected(item));
  times('planted', options.plantedTimes, (item) => composer.planted(item));
  times('benign', 1, (item) => composer.alone(item));
  // Every second one: a text of one sentence must not look harmless for that alone.
  const benign = items.filter(({ kind }) => kind === 'benign');
  for (const item of benign.filter((_, index) => index % 2 === 0)) documents.push(composer.sentence(item));
  times('benign', options.benignTimes, (item) => composer.harmless(item));
  times('mention', 3, (item) => composer.mention(item));
  return documents;
}

const MAX_LENGTH = 6000;
const MAX_DEV_SOURCE = 200;

function inFormat(random: Random, document: Document, format: FormatName): DevDocument {
  if (format === 'plain') return { ...document, format };
  const write = FORMATS[format];
  const [span] = document.spans;
  if (span === undefined) return { ...document, text: write(random, document.text), format };
  const { text } = document;
  const marked = `${text.slice(0, span.start)}${OPEN}${text.slice(span.start, span.end)}${CLOSE}${text.slice(span.end)}`;
  const placed = unmark(write(random, marked));
  return { ...document, text: placed.text, spans: [{ ...span, start: placed.start, end: placed.end }], format };
}

/** Each document as it is, and in two other formats in turn. */
function inFormats(documents: readonly Document[], seed: number): DevDocument[] {
  const random = new Random(seed);
  const others = FORMAT_NAMES.filter((name) => name !== 'plain');
  return documents.flatMap((document, index) => {
    const turn = (step: number) => others[(index * 2 + step) % others.length] as FormatName;
    return (['plain', turn(0), turn(1)] as const).map((format) => inFormat(random, document, format));
  });
}

/** A bounded number of documents of each source, evenly chosen. */
function thinned(documents: readonly Document[]): Document[] {
  const counts = new Map<string, number>();
  for (const { source } of documents) counts.set(source, (counts.get(source) ?? 0) + 1);
  const seen = new Map<string, number>();
  return documents.filter(({ source }) => {
    const index = seen.get(source) ?? 0;
    seen.set(source, index + 1);
    const step = Math.max(1, (counts.get(source) as number) / MAX_DEV_SOURCE);
    return Math.floor(index / step) !== Math.floor((index - 1) / step);
  });
}

function isShown({ text, spans }: Document): boolean {
  return text.length <= MAX_LENGTH && spans.filter(({ goal }) => !goal).length <= 1;
}

function devOf(items: readonly Item[], shared: readonly Document[], seed: number): DevDocument[] {
  const composer = composerOf(items, shared, seed);
  const own = items.flatMap((item): Document[] => {
    if (item.kind === 'injection') return [composer.injected(item)];
    if (item.kind === 'planted') return [composer.asWritten(item)];
    return item.kind === 'benign' ? [composer.asItIs(item)] : [];
  });
  const distinct = new Map([...thinned(shared.filter(isShown)), ...own].map((each) => [each.text, each]));
  return inFormats([...distinct.values()], seed + 1);
}

/** Our own documents and the shared ones, by whether their source is kept back. */
export function assemble(items: readonly Item[], shared: readonly Document[], options: AssembleOptions): Sets {
  const random = new Random(options.seed + 1);
  const known = shared.filter(({ source }) => !GRAY.has(source));
  const train = known
    .filter(({ source }) => !KEPT_BACK.has(source))
    .map((document) =>
      document.injected || document.text.length <= MAX_LENGTH
        ? document
        : { ...document, text: crop(random, document.text, MAX_LENGTH) },
    );
  const isLeftOut = (item: Item) => item.kind === 'planted' && foldOf(familyOf(item)) === options.leftOut;
  const learned = items.filter((item) => !isDev(item) && !isLeftOut(item));
  const english = learned.filter(({ kind, lang }) => kind === 'benign' && lang === 'en').map(({ text }) => text);
  const own = options.corpus ? outputs(new Random(options.seed + 4), options.outputs, english) : [];
  const hosts = [...train, ...own];
  const kept = known.filter(({ source }) => KEPT_BACK.has(source));
  const held = items.filter((item) => isDev(item) || isLeftOut(item));
  return {
    train: options.corpus ? [...hosts, ...composed(learned, hosts, options, options.seed + 2)] : train,
    dev: devOf(held, kept, options.seed + 3),
  };
}
