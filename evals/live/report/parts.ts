import { escaped } from '../../../apps/cli/src/replay/draw/marked.ts';
import type { Row } from '../statistics/measures.ts';
import type { Estimate } from '../statistics/statistics.ts';

const percent = (share: number): string => `${(100 * share).toFixed(1)}`;

const width = (share: number): string => `${Math.max(0, Math.min(100, 100 * share)).toFixed(2)}%`;

function track({ value, low, high }: Estimate, arm: 'without' | 'with'): string {
  const interval = `<i style="left:${width(low)};width:${width(high - low)}"></i>`;
  return `<div class="track ${arm}"><span style="width:${width(value)}"></span>${interval}</div>`;
}

const shareText = ({ value, low, high }: Estimate): string =>
  `<span><b>${percent(value)} %</b> <small>${percent(low)} to ${percent(high)}</small></span>`;

/** A row with two bars: without the boundary, and with it. */
function barRow({ name, without, with: guarded }: Row): string {
  return `<tr><th scope="row">${escaped(name)}</th><td><div class="bars">${track(without, 'without')}${track(guarded, 'with')}</div></td><td class="n"><div class="values">${shareText(without)}${shareText(guarded)}</div></td></tr>`;
}

export function barTable(rows: readonly Row[]): string {
  return `<table class="measures"><tbody>${rows.map(barRow).join('')}</tbody></table>`;
}

const number = (value: number, digits: number): string =>
  value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** A cell with a mean and its interval. */
export function meanCell({ value, low, high }: Estimate, digits: number): string {
  return `<td class="r"><b>${number(value, digits)}</b> <small>${number(low, digits)} to ${number(high, digits)}</small></td>`;
}

/** A list that opens; nothing if it is empty. */
export function listing(title: string, heads: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const cells = rows.map((row) => `<tr>${row.map((cell) => `<td>${escaped(cell)}</td>`).join('')}</tr>`).join('');
  const head = heads.map((each) => `<th scope="col">${each}</th>`).join('');
  return `<details><summary>${title} (${rows.length})</summary><table><thead><tr>${head}</tr></thead><tbody>${cells}</tbody></table></details>`;
}
