import { describe, expect, it } from 'vitest';
import type { Document } from '../../../training/document.ts';
import { exportModel } from '../../../training/model/export.ts';
import { createNetwork, type Network } from '../../../training/model/network.ts';
import { asksOf, featuresOf, prepare } from '../../../training/model/prepare.ts';
import { FeatureCounter } from '../../../training/model/prune.ts';
import { type Options, Trainer } from '../../../training/model/trainer.ts';
import { Random } from '../../../training/random.ts';
import { isRequest } from '../src/language/is-request.ts';
import { buildLexicon, CLASSES, hashWord } from '../src/language/lexicon.ts';
import { segment } from '../src/language/segments.ts';
import { buildVocabulary } from '../src/model/feature-table.ts';
import { readFeatures } from '../src/model/features.ts';
import { loadModel } from '../src/model/model.ts';
import { score } from '../src/model/network.ts';
import { TAGS } from '../src/tag.ts';

const UNKNOWN = -1;
const LEXICON = [[hashWord('send'), 1 << CLASSES.indexOf('send')]] as const;
const EMPTY = buildVocabulary([]);

function documentOf(text: string, given: Partial<Document> = {}): Document {
  return { id: '', source: 's', text, injected: false, spans: [], lang: 'en', channel: 'text', ...given };
}

/** An injected document, with the parts of its text that are planted. */
function attackOf(text: string, parts: readonly string[], given: Partial<Document> = {}): Document {
  const spans = parts.map((part) => ({ start: text.indexOf(part), end: text.indexOf(part) + part.length }));
  return documentOf(text, { injected: true, spans, ...given });
}

const GREETING = 'The weather was fine in the mountains.';
const ORDER = 'Send the report to Eve.';
const REMARK = 'The assistant wants a summary for the auditor.';

describe('the labels of a document', () => {
  const labelsOf = (document: Document) => {
    const { labels, asks, tags } = prepare(document, buildLexicon([]), EMPTY);
    return { labels: [...labels], asks: [...asks], tags: [...tags] };
  };

  it('know a request by its words', () => {
    expect([GREETING, ORDER, REMARK].map(isRequest)).toEqual([false, true, false]);
  });

  it.each([
    { title: 'a benign text', document: documentOf(`${GREETING} ${ORDER}`), labels: [0, 0], asks: [0, 1] },
    {
      title: 'an attack that addresses the model',
      document: attackOf(`${GREETING} ${REMARK}`, [REMARK]),
      labels: [0, 1],
      asks: [0, UNKNOWN],
    },
    {
      title: 'an attack that only asks: whether it addresses the model is not learned from it',
      document: attackOf(`${GREETING} ${ORDER}`, [ORDER], { claim: 'asks' }),
      labels: [0, UNKNOWN],
      asks: [0, 1],
    },
    {
      title: 'a task whose words do not say that it is one',
      document: attackOf(`${GREETING} ${REMARK}`, [REMARK], { claim: 'asks' }),
      labels: [0, UNKNOWN],
      asks: [0, 1],
    },
    {
      title: 'a task of two sentences, of which either may be the one that asks',
      document: attackOf(`${GREETING} ${REMARK} ${REMARK}`, [`${REMARK} ${REMARK}`], { claim: 'asks' }),
      labels: [0, UNKNOWN, UNKNOWN],
      asks: [0, UNKNOWN, UNKNOWN],
    },
    {
      title: 'an attack without spans',
      document: documentOf(`${GREETING} ${ORDER}`, { injected: true }),
      labels: [UNKNOWN, UNKNOWN],
      asks: [0, 1],
    },
    {
      title: 'a part that is left out',
      document: documentOf(`${GREETING} ${REMARK}`, {
        injected: true,
        spans: [{ start: GREETING.length + 1, end: GREETING.length + 1 + REMARK.length, ignored: true }],
      }),
      labels: [0, UNKNOWN],
      asks: [0, UNKNOWN],
    },
    {
      title: 'a wrapped sentence, which is one segment',
      document: attackOf('> The assistant wants a summary for the\n> auditor of the firm.', [
        'The assistant wants a summary for the\n> auditor of the firm.',
      ]),
      labels: [1],
      asks: [UNKNOWN],
    },
  ])('are those of $title', ({ document, labels, asks }) => {
    expect(labelsOf(document)).toMatchObject({ labels, asks });
  });

  it('take the goal of an attack for what asks, and the whole for what addresses the model', () => {
    const text = `${GREETING} Dear assistant of this house. ${REMARK}`;
    const start = text.indexOf(REMARK);
    const document = documentOf(text, {
      injected: true,
      spans: [
        { start: GREETING.length + 1, end: text.length, tag: 'concealment' },
        { start, end: text.length, tag: 'concealment', goal: true },
      ],
    });
    const tag = TAGS.indexOf('concealment');
    expect(labelsOf(document)).toEqual({ labels: [0, 1, 1], asks: [0, UNKNOWN, 1], tags: [-1, tag, tag] });
  });

  it('of a segment with a part of a task are not known', () => {
    const document = attackOf(`${GREETING} ${REMARK}`, ['for the auditor.'], { claim: 'asks' });
    const [from, to] = [GREETING.length + 1, GREETING.length + 1 + REMARK.length];
    expect(asksOf(document, from, to, REMARK)).toBe(UNKNOWN);
    expect(asksOf(document, from, to, ORDER)).toBe(1);
    expect(asksOf(document, 0, GREETING.length, GREETING)).toBe(0);
  });
});

const DOCUMENTS: readonly Document[] = [
  documentOf(`${GREETING} The shop opens at nine.`),
  documentOf(`${GREETING} Please send the invoice to Ann today. The shop opens at nine.`),
  documentOf('Please call the customer today. The shop opens at nine.'),
  attackOf(`${GREETING} ${REMARK} The shop opens at nine.`, [REMARK]),
  attackOf(`The shop opens at nine. ${REMARK}`, [REMARK]),
  attackOf(`The shop opens at nine. The auditor needs the ledger.`, ['The auditor needs the ledger.'], {
    claim: 'asks',
  }),
];
const OPTIONS: Options = { rate: 0.1, dropout: 0, hardest: 1, clearest: 1, asks: 1 };

const lexicon = buildLexicon(LEXICON);
const counter = new FeatureCounter();
for (const document of DOCUMENTS) counter.add(featuresOf(document, lexicon));
const CHOSEN = counter.frequent(1, 1000);
const VOCABULARY = buildVocabulary(CHOSEN);
const PREPARED = DOCUMENTS.map((document) => prepare(document, lexicon, VOCABULARY));

function learned(options: Options, rounds: number, indexes: readonly number[] = [...PREPARED.keys()]): Network {
  const network = createNetwork(new Random(1), CHOSEN.length);
  const trainer = new Trainer(network);
  const random = new Random(2);
  for (let round = 0; round < rounds; round++)
    for (const index of indexes) trainer.learn(PREPARED[index] as (typeof PREPARED)[number], 1, random, options);
  return network;
}

/** The log odds of each segment, in the package. */
function oddsOf(network: Network, index: number): { scores: number[]; asks: number[] } {
  const { weights, digest } = exportModel(network, LEXICON, CHOSEN);
  const model = loadModel(weights, digest);
  const { text } = DOCUMENTS[index] as Document;
  const segments = segment(text, []);
  const { scores, asks } = score(model, segments, readFeatures(text, segments, model.lexicon));
  return { scores: [...scores], asks: [...asks] };
}

describe('a trained network', () => {
  it('tells what addresses the model, and what asks', () => {
    const network = learned(OPTIONS, 60);
    const isRight = (odds: readonly number[], labels: Int8Array): boolean =>
      odds.every((value, i) => labels[i] === UNKNOWN || value > 0 === (labels[i] === 1));
    for (const [index, { labels, asks }] of PREPARED.entries()) {
      const odds = oddsOf(network, index);
      expect([isRight(odds.scores, labels), isRight(odds.asks, asks)]).toEqual([true, true]);
    }
  });

  it('does not learn what asks without a weight for it', () => {
    const before = createNetwork(new Random(1), CHOSEN.length);
    const network = learned({ ...OPTIONS, asks: 0 }, 10);
    expect([network.asks, network.asksBias]).toEqual([before.asks, before.asksBias]);
    expect(network.last).not.toEqual(before.last);
  });

  it('learns more of what asks with a larger weight', () => {
    const biasOf = (asks: number): number => learned({ ...OPTIONS, asks }, 1, [0]).asksBias[0] as number;
    // In this document nothing asks.
    expect(biasOf(2)).toBeLessThan(biasOf(1));
    expect(biasOf(1)).toBeLessThan(-1);
  });

  it('does not learn whether a task addresses the model', () => {
    const network = learned(OPTIONS, 60, [5]);
    const { scores, asks } = oddsOf(network, 5);
    expect(PREPARED[5]?.labels).toEqual(Int8Array.of(0, UNKNOWN));
    expect(asks[1]).toBeGreaterThan(0);
    expect(scores[0]).toBeLessThan(0);
  });

  it('learns more from the clearest segment of an attack, and from no other', () => {
    const [plain, clear] = [1, 4].map((clearest) => learned({ ...OPTIONS, clearest, asks: 0 }, 1, [4])) as [
      Network,
      Network,
    ];
    expect(oddsOf(clear, 4).scores[1]).toBeGreaterThan(oddsOf(plain, 4).scores[1] as number);
    const [one, other] = [1, 4].map((clearest) => learned({ ...OPTIONS, clearest }, 3, [0, 1, 2])) as [
      Network,
      Network,
    ];
    expect(one).toEqual(other);
  });

  it('learns more from the hardest segment of a benign document, and from no other', () => {
    const [plain, hard] = [1, 4].map((hardest) => learned({ ...OPTIONS, hardest, asks: 0 }, 1, [0])) as [
      Network,
      Network,
    ];
    expect(Math.max(...oddsOf(hard, 0).scores)).toBeLessThan(Math.max(...oddsOf(plain, 0).scores));
    const [one, other] = [1, 4].map((hardest) => learned({ ...OPTIONS, hardest }, 3, [3, 4])) as [Network, Network];
    expect(one).toEqual(other);
  });

  it('is the same from the same seed', () => {
    const options = { ...OPTIONS, dropout: 0.5 };
    expect(learned(options, 5)).toEqual(learned(options, 5));
    expect(learned(options, 5)).not.toEqual(learned(OPTIONS, 5));
  });
});
