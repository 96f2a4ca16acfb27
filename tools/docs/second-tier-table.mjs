// The table of evals/spans/README.md about a second tier, from its committed result.

const share = (value) => value.toFixed(3);

const ROWS = [
  ['all', 'all'],
  ['English', 'english'],
  ['other languages', 'other_languages'],
];

/** @param {Record<string, any>} result */
export function secondTierTable(result) {
  const lines = ROWS.map(([title, id]) => {
    const { attacks, first, second, both, gain, interval } = result[id];
    const middle = interval.map(share).join(' to ');
    return `| ${title} | ${attacks} | ${share(first)} | ${share(second)} | ${share(both)} | ${share(gain)} (${middle}) |`;
  });
  const { first, every_sentence: every } = result.cpu_ms_10kb;
  return [
    `| documents (${result.measured.slice(0, 10)}) | attacks | this classifier | second alone | both | gain, and the middle 95 % |`,
    '|---|--:|--:|--:|--:|---|',
    ...lines,
    '',
    `Reading every sentence of 10 KB took the second tier ${Math.round(every)} ms of CPU time, and this classifier ${first.toFixed(1)} ms.`,
    '',
  ].join('\n');
}
