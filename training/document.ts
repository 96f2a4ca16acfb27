// A document for training or evaluation: a text, and the spans of it that address the model.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface LabelledSpan {
  readonly start: number;
  readonly end: number;
  /** Left out of training, because the right label is unclear: a code body next to its instruction, for example. */
  readonly ignored?: boolean;
  readonly tag?: string;
  /** The request itself, without its introduction. */
  readonly goal?: boolean;
}

/** Whether a text addresses the model, or only asks for something. */
type Claim = 'addresses' | 'asks';

export interface Document {
  readonly id: string;
  readonly source: string;
  readonly text: string;
  readonly injected: boolean;
  readonly spans: readonly LabelledSpan[];
  readonly lang: string;
  readonly channel: string;
  readonly attack?: string;
  /** What its spans do. @default addresses */
  readonly claim?: Claim;
  /** The idea of the attack: texts of one family are never divided between training and measuring. */
  readonly family?: string;
}

// Sets whose attacks are plain requests, by the beginning of the attack's name. The others address the model.
const BARE = /^(?:bipia:|asb:|piarena:direct|tasktracker:(?:plain|translated)|ours_ml:bare|spikee:no-jailbreak)/;

interface Row {
  id: string;
  source: string;
  split: string;
  text: string;
  label: string;
  spans: { start: number; end: number; kind: string }[];
  lang: string;
  channel: string;
  attack?: string;
}

/** Reads the labelled records of a split. Only the files of that split's sources are opened. */
export function readSplit(directory: string, split: string): Document[] {
  if (!existsSync(directory)) return [];
  const documents: Document[] = [];
  for (const name of readdirSync(directory).sort()) {
    if (!name.endsWith('.jsonl')) continue;
    const content = readFileSync(join(directory, name), 'utf8');
    for (const line of content.split('\n')) {
      if (line === '' || !line.includes(`"split": "${split}"`)) continue;
      const row = JSON.parse(line) as Row;
      if (row.split !== split) continue;
      const spans = row.spans.map(({ start, end, kind }) => ({ start, end, ignored: kind === 'payload-code' }));
      const { id, source, text, lang, channel } = row;
      documents.push({
        id,
        source,
        text,
        injected: row.label === 'injection',
        spans,
        lang,
        channel,
        ...(row.attack ? { attack: row.attack } : {}),
        claim: BARE.test(row.attack ?? '') ? 'asks' : 'addresses',
      });
    }
  }
  return documents;
}
