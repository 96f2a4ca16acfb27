// The table of ARCHITECTURE.md about the stages of a wrapped call, from its committed result.

const percent = (value) => (value === undefined ? '' : value.toFixed(1));

/** @param {Record<string, any>} result */
export function wrapProfileTable({ before, shares }) {
  const [small, large] = ['64 B', '10 KB'];
  const lines = Object.keys(shares[large]).map(
    (stage) =>
      `| ${stage} | ${[before[small], shares[small], before[large], shares[large]].map((each) => percent(each[stage])).join(' | ')} |`,
  );
  return [
    `| percent of CPU | ${small}, before | ${small} | ${large}, before | ${large} |`,
    '|---|--:|--:|--:|--:|',
    ...lines,
    '',
  ].join('\n');
}
