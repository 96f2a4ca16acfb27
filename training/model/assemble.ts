// Selects the documents for training, and those for development and calibration. Test sources are never opened here.
import { Composer, crop, type Host } from '../compose/compose.ts';
import type { Item } from '../corpus.ts';
import type { Document } from '../document.ts';
import { Random } from '../random.ts';

/** Whole briefs that are never used for training: other goals, another writer. */
const DEV_BRIEFS: ReadonlySet<string> = new Set([
  'injections/en-home-health',
  'injections/en-chat-social',
  'injections/plain-travel',
  'wrappers/en-authority',
  'benign/mail-customers',
  'benign/trigger-prose',
]);

export function isDev(item: Item): boolean {
  if (DEV_BRIEFS.has(item.brief)) return true;
  let hash = 7;
  for (let i = 0; i < item.text.length; i++) hash = Math.imul(hash ^ item.text.charCodeAt(i), 0x01000193);
  return (hash >>> 8) % 10 === 0;
}

export interface Sets {
  readonly train: readonly Document[];
  readonly dev: readonly Document[];
}

export interface AssembleOptions {
  readonly seed: number;
  /** The number of documents with each injection, and with each benign text. */
  readonly injectedTimes: number;
  readonly benignTimes: number;
  readonly corpus: boolean;
}

function hostsOf(documents: readonly Document[]): Host[] {
  return documents
    .filter(({ injected, source }) => !injected && source !== 'piarena')
    .map(({ text, channel, lang }) => ({ text, channel, lang }));
}

function composed(
  items: readonly Item[],
  hosts: readonly Document[],
  options: AssembleOptions,
  seed: number,
): Document[] {
  const random = new Random(seed);
  const of = (kind: Item['kind']) => items.filter((item) => item.kind === kind);
  const parts = {
    injections: of('injection'),
    wrappers: of('wrapper'),
    benign: of('benign'),
    mentions: of('mention'),
    hosts: hostsOf(hosts),
  };
  const composer = new Composer(random, parts);
  const documents: Document[] = [];
  for (let time = 0; time < options.injectedTimes; time++)
    for (const item of parts.injections) documents.push(composer.injected(item));
  for (const item of parts.benign) documents.push(composer.alone(item), composer.sentence(item));
  for (let time = 0; time < options.benignTimes; time++)
    for (const item of parts.benign) documents.push(composer.harmless(item));
  for (let time = 0; time < 3; time++) for (const item of parts.mentions) documents.push(composer.mention(item));
  return documents;
}

const MAX_LENGTH = 6000;

/** Our own documents and the shared ones of the two splits. */
export function assemble(
  items: readonly Item[],
  train: readonly Document[],
  dev: readonly Document[],
  options: AssembleOptions,
): Sets {
  const random = new Random(options.seed + 1);
  const cropped = train.map((document) =>
    document.injected || document.text.length <= MAX_LENGTH
      ? document
      : { ...document, text: crop(random, document.text, MAX_LENGTH) },
  );
  if (!options.corpus) return { train: cropped, dev };
  const learned = items.filter((item) => !isDev(item));
  const kept = items.filter(isDev);
  return {
    train: [...cropped, ...composed(learned, train, options, options.seed + 2)],
    dev: [...dev, ...composed(kept, dev, { ...options, injectedTimes: 2, benignTimes: 1 }, options.seed + 3)],
  };
}
