// Measures the CPU time of finding spans, and its ratio to one indexOf over the same text in the same run: a ratio varies less
// than a time.
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { endProgress, fail, progress, readOptions, root } from '../tools/command.mjs';
import { writeFigures, writeResult } from '../tools/figures.mjs';
import { languages } from './languages.mjs';
import { kinds, textOf } from './texts.mjs';
import { compare, compareOver } from './time.mjs';

const options = readOptions(
  `
Measures the findings of the built classifier on plain English, JSON and HTML of 1 KB to 1 MB and on 1 MB of each of the
repeated units of ../shared/data, its stages on 10 KB, and prints the peers of evals/results/peers.json next to it. Exit 1
when ten times the text takes more than twenty times as long, or 1 MB takes a second of CPU or more.

  npm run bench -- classifier        measure, write evals/results/classifier-cpu.json and its figures
  npm run bench -- classifier --dry  write nothing
  npm run bench -- classifier --dry --only json
  npm run bench -- classifier --before ../earlier  measure a built checkout of an earlier state too, in the same rounds
`,
  { dry: { type: 'boolean' }, only: { type: 'string' }, before: { type: 'string' } },
);

const SIZES = { '1 KB': 1000, '10 KB': 10_000, '100 KB': 100_000, '1 MB': 1_000_000 };
const GOAL_MS = 1;
const LIMIT_MS = 1000;
const LIMIT_GROWTH = 20;
const chosen = kinds.filter((kind) => options.only === undefined || kind === options.only);
if (chosen.length === 0)
  fail(`--only must be a kind of text; received ${options.only}`, `use one of: ${kinds.join(', ')}`, 2);

const dist = join(root, 'packages', 'classifier', 'dist');
if (!existsSync(join(dist, 'classifier.js'))) fail('the classifier is not built', 'run npx tsc -b', 2);
const modules = [
  'finding/spans',
  'language/segments',
  'model/features',
  'model/network',
  'model/model',
  'model/weights',
  'finding/calibration',
];
const [{ readSpans }, { segment }, { readFeatures }, { score }, { loadModel }, { WEIGHTS }, { CALIBRATION }] =
  await Promise.all(modules.map((name) => import(join(dist, `${name}.js`))));

const { readView } = await import('@sallyport/decode');

const model = loadModel(WEIGHTS, CALIBRATION.digest);
const round = (value) => Number(value.toPrecision(3));

/** The classifier on one text, with two baselines that read every unit: indexOf (vectorised) and a charCodeAt loop. */
function measure(text, work = () => readSpans(model, text)) {
  const { ms, perIndexOf, perLoop } = compare(work, text);
  return { ms: round(ms), per_index_of: Math.round(perIndexOf), per_loop: round(perLoop) };
}

/** The classifier of another checkout, which must be built. */
async function earlier() {
  if (options.before === undefined) return {};
  const from = join(resolve(options.before), 'packages', 'classifier', 'dist');
  // The first version had one function, which loads the weights with its module.
  if (!existsSync(join(from, 'finding'))) {
    const { findSpans } = await import(join(from, 'classifier.js'));
    return { before: (text) => findSpans(text) };
  }
  const [{ readSpans: read }, { loadModel: load }, { WEIGHTS: weights }, { CALIBRATION: calibration }] =
    await Promise.all(
      ['finding/spans', 'model/model', 'model/weights', 'finding/calibration'].map(
        (name) => import(join(from, `${name}.js`)),
      ),
    );
  const known = load(weights, calibration.digest);
  return { before: (text) => read(known, text) };
}

/** Fifty texts of 10 KB of each kind, and ten of each language, read once a round. */
async function measureFresh() {
  const works = { now: (text) => readSpans(model, text), ...(await earlier()) };
  const cut = (text) => Array.from({ length: 50 }, (_, index) => text.slice(index * 10_000, (index + 1) * 10_000));
  const sets = {
    ...Object.fromEntries(kinds.map((kind) => [kind, cut(textOf(kind, 500_000))])),
    languages: languages(),
  };
  return Object.fromEntries(
    Object.entries(sets).map(([name, texts]) => {
      progress(`fresh texts: ${name}`);
      const measured = compareOver(works, texts);
      return [
        name,
        Object.fromEntries(
          Object.entries(measured).map(([each, { ms, perLoop }]) => [
            each,
            { ms: round(ms), per_loop: round(perLoop) },
          ]),
        ),
      ];
    }),
  );
}

function measureKind(kind) {
  const sizes = {};
  for (const [name, length] of Object.entries(SIZES)) {
    progress(`${kind} ${name}`);
    sizes[name] = measure(textOf(kind, length));
  }
  const [long, short] = [sizes['1 MB'], sizes['100 KB']];
  // The second ratio is relative to the loop, which is linear and which a busy machine slows as well.
  return { sizes, growth: round(long.ms / short.ms), growth_by_loop: round((10 * long.per_loop) / short.per_loop) };
}

/** The plain layer of 10 KB, stage by stage; the total includes the other layers. */
function measureStages(kind) {
  const text = textOf(kind, SIZES['10 KB']);
  const view = readView(text);
  const plain = view.layers[0].text;
  const segments = segment(plain, view.hidden);
  const features = readFeatures(plain, segments, model.lexicon);
  // The hashes are a view of a buffer that the next call overwrites.
  const kept = { ...features, hashes: features.hashes.slice() };
  const stages = {
    readView: () => readView(text),
    segment: () => segment(plain, view.hidden),
    readFeatures: () => readFeatures(plain, segments, model.lexicon),
    score: () => score(model, segments, kept),
  };
  const measured = Object.entries(stages).map(([name, work]) => {
    progress(`${kind} ${name}`);
    const { ms, per_loop } = measure(text, work);
    return [name, { ms, per_loop }];
  });
  return { segments: segments.count, layers: view.layers.length, ...Object.fromEntries(measured) };
}

function measureUnits() {
  const file = join(root, '..', 'shared', 'data', 'repeated-units.json');
  if (!existsSync(file)) {
    console.log('repeated units: skipped, ../shared/data/repeated-units.json is absent');
    return undefined;
  }
  const units = Object.entries(JSON.parse(readFileSync(file, 'utf8')));
  const measured = {};
  for (const [index, [name, unit]] of units.entries()) {
    progress(`unit ${index + 1} of ${units.length}: ${name}`);
    const whole = unit.repeat(Math.floor(SIZES['1 MB'] / Buffer.byteLength(unit)));
    // A flat string: the first reader of a rope would pay for flattening it.
    measured[name] = measure(Buffer.from(whole, 'utf16le').toString('utf16le'));
  }
  return measured;
}

/** The measured peers, and our classifier on the same text. */
async function comparePeers() {
  const file = join(root, 'evals', 'results', 'peers.json');
  if (!existsSync(file)) {
    console.log('peers: skipped, evals/results/peers.json is absent');
    return undefined;
  }
  const { english } = await import('../evals/peers/english.mjs');
  const ours = {};
  for (const [name, length] of Object.entries(SIZES)) {
    progress(`text of the peers ${name}`);
    ours[name] = measure(english(length));
  }
  const { measured, peers } = JSON.parse(readFileSync(file, 'utf8'));
  const rows = peers.flatMap(({ name, configurations }) =>
    configurations
      .filter(({ times }) => times !== undefined)
      .map((configuration) => ({
        peer: name,
        configuration: configuration.name,
        sizes: Object.fromEntries(
          Object.entries(configuration.times).map(([size, { cpuMs, indexOfMs, outcome }]) => [
            size,
            { ms: cpuMs, per_index_of: cpuMs === null ? null : Math.round(cpuMs / indexOfMs), outcome },
          ]),
        ),
      })),
  );
  return { measured, text: 'evals/peers/english.mjs', ours, peers: rows };
}

const result = { digest: CALIBRATION.digest, kinds: {}, stages: {} };
for (const kind of chosen) {
  result.kinds[kind] = measureKind(kind);
  result.stages[kind] = measureStages(kind);
}
if (options.only === undefined) {
  result.fresh = await measureFresh();
  result.units = measureUnits();
  result.beside = await comparePeers();
}
endProgress();

for (const [kind, { sizes, growth, growth_by_loop }] of Object.entries(result.kinds)) {
  for (const [size, { ms, per_index_of, per_loop }] of Object.entries(sizes))
    console.log(
      `${kind.padEnd(8)} ${size.padStart(6)} ${String(ms).padStart(8)} ms CPU, ${per_index_of} x indexOf, ${per_loop} x charCodeAt`,
    );
  const stages = Object.entries(result.stages[kind]).filter(([, stage]) => stage.ms !== undefined);
  console.log(`${kind.padEnd(8)} 10 KB: ${stages.map(([name, { ms }]) => `${name} ${ms} ms`).join(', ')}`);
  console.log(`${kind.padEnd(8)} 1 MB takes ${growth} x the time of 100 KB, ${growth_by_loop} x by the loop`);
}
for (const [name, { now, before }] of Object.entries(result.fresh ?? {}))
  console.log(
    `fresh ${name.padEnd(9)} 10 KB: ${now.ms} ms CPU, ${now.per_loop} x charCodeAt${before ? `; before ${before.ms} ms, ${before.per_loop} x` : ''}`,
  );
const slowest = Object.entries(result.units ?? {}).sort(([, one], [, other]) => other.ms - one.ms);
for (const [name, { ms }] of slowest.slice(0, 5)) console.log(`1 MB of unit ${name}: ${ms} ms CPU`);
for (const { peer, configuration, sizes } of result.beside?.peers ?? [])
  console.log(`peer ${peer}, ${configuration}: ${sizes['10 KB'].per_index_of} x indexOf at 10 KB`);
if (result.beside !== undefined)
  console.log(`ours on the same text: ${result.beside.ours['10 KB'].per_index_of} x indexOf at 10 KB`);

const at = (size) => Object.entries(result.kinds).map(([kind, { sizes }]) => ({ kind, ms: sizes[size].ms }));
const worst = (entries) => entries.reduce((one, other) => (other.ms > one.ms ? other : one));
const megabyte = worst(at('1 MB'));
if (!options.dry && options.only === undefined) {
  writeResult('classifier-cpu', { goal_ms_10kb: GOAL_MS, ...result });
  const figure = (value) => ({ value, unit: 'ms CPU', command: 'npm run bench -- classifier' });
  const ratio = ({ per_loop: value }) => ({
    value,
    unit: 'times a charCodeAt loop',
    command: 'npm run bench -- classifier --before ../earlier',
  });
  writeFigures({
    'spans.cpu_ms_10kb': figure(result.fresh.english.now.ms),
    'spans.cpu_ms_1mb': figure(megabyte.ms),
    'spans.ratio_10kb': ratio(result.fresh.english.now),
    ...(options.before && { 'spans.ratio_10kb_before': ratio(result.fresh.english.before) }),
  });
}
const { kind, ms } = worst(at('10 KB'));
console.log(`goal for 10 KB: at most ${GOAL_MS} ms, ${ms <= GOAL_MS ? 'reached' : 'missed'} (${kind} ${ms} ms)`);
const steep = Object.entries(result.kinds).find(([, { growth_by_loop }]) => growth_by_loop > LIMIT_GROWTH);
if (steep !== undefined)
  fail(`${steep[0]} of ten times the length takes ${steep[1].growth_by_loop} x`, 'find the part that is not linear');
const slow = Math.max(megabyte.ms, slowest[0]?.[1].ms ?? 0);
if (slow >= LIMIT_MS) fail(`1 MB takes ${slow} ms of CPU`, 'find the kind or unit above, and profile it');
