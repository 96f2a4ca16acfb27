// Measures what the search for secrets finds where there are none, and what it costs.
import { readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { spanClassifier } from '@sallyport/classifier';
import { findSecrets } from '../../apps/cli/src/secrets/find.ts';
import { redactSecrets } from '../../apps/cli/src/secrets/redact.ts';
import { textOf } from '../../bench/texts.mjs';
import { readOptions, root } from '../../tools/command.mjs';
import { writeFigures, writeResult } from '../../tools/figures.mjs';
import { filesOf } from './files.ts';

const options = readOptions(
  `
Searches for secrets in all texts of the installed packages (READMEs, sources, minified code, source maps, lock files), where
everything that is found is a false alarm, and measures the search in 10 KB of fresh English text against one classification.

  npm run eval -- secrets        writes evals/results/secrets.json and its figures
  npm run eval -- secrets --dry  write nothing
`,
  { dry: { type: 'boolean' } },
);

const MAX_BYTES = 3_000_000;
const TEXTS = 200;
const LENGTH = 10_000;

const found: { readonly file: string; readonly kind: string }[] = [];
let files = 0;
let bytes = 0;
for (const path of [join(root, 'package-lock.json'), ...filesOf(join(root, 'node_modules'))]) {
  if (statSync(path).size > MAX_BYTES) continue;
  const text = readFileSync(path, 'utf8');
  files += 1;
  bytes += text.length;
  const file = relative(root, path);
  const kinds = findSecrets(text).map(({ kind }) => kind);
  if (kinds.length === 0 && redactSecrets(text) !== text) kinds.push('in base64');
  for (const kind of kinds) found.push({ file, kind });
}

// Different texts: an engine must not profit from having read one before.
const whole = textOf('english', LENGTH * TEXTS);
const texts = Array.from({ length: TEXTS }, (_, index) => whole.slice(index * LENGTH, (index + 1) * LENGTH));

/** Milliseconds for one text. The first half warms up. */
async function timeOf(work: (text: string) => unknown): Promise<number> {
  for (const text of texts.slice(0, TEXTS / 2)) await work(text);
  const start = performance.now();
  for (const text of texts.slice(TEXTS / 2)) await work(text);
  return (performance.now() - start) / (TEXTS / 2);
}

await spanClassifier.prepare?.();
const times = {
  classify: await timeOf((text) => spanClassifier.doClassify({ text })),
  find: await timeOf(findSecrets),
  redact: await timeOf(redactSecrets),
};
const rounded = (value: number): number => Number(value.toPrecision(2));
const ratios = { find: rounded(times.find / times.classify), redact: rounded(times.redact / times.classify) };
console.log({ files, megabytes: Math.round(bytes / 1e6), found, times, ratios });

if (options.dry !== true) {
  writeResult('secrets', { files, bytes, found, times, ratios });
  const command = 'npm run eval -- secrets';
  writeFigures({
    'secrets.false_alarms': { value: found.length, unit: 'false alarms', command },
    'secrets.files': { value: files, unit: 'files', command },
    'secrets.find_ratio_to_classify_10kb': { value: ratios.find, unit: 'x', command },
    'secrets.redact_ratio_to_classify_10kb': { value: ratios.redact, unit: 'x', command },
  });
}
