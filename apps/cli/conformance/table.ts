// The table of the conformance program, and the page that contains it.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../tools/command.mjs';
import type { Cell } from './cell.ts';
import { ERAS, type Feature } from './feature.ts';
import type { Target } from './target.ts';

export type Row = Readonly<Partial<Record<Target, Cell>>>;
export type Cells = Readonly<Record<string, Row>>;

const BEGIN = '<!-- table: npm run check -- conformance-wrap -->\n';
const END = '\n<!-- end of table -->';
const PAGE = join(root, 'apps', 'cli', 'conformance', 'README.md');
const MINIMAL = `# MCP through the wrapper\n\n${BEGIN}${END}\n`;
const MARKS = { passed: 'yes', failed: 'FAILED', impossible: 'no' } as const;

export function tableOf(features: readonly Feature[], targets: readonly Target[], cells: Cells): string {
  const notes: string[] = [];
  const markOf = (cell: Cell | undefined): string => {
    if (cell === undefined) return '';
    if (cell.type !== 'impossible') return MARKS[cell.type];
    if (!notes.includes(cell.reason)) notes.push(cell.reason);
    return `no (${notes.indexOf(cell.reason) + 1})`;
  };
  const lines = [`| feature | ${targets.join(' | ')} |`, `|---|${targets.map(() => '---|').join('')}`];
  for (const era of ERAS) {
    const chosen = features.filter((feature) => feature.era === era);
    if (chosen.length > 0) lines.push(`| **${era}** |${targets.map(() => ' |').join('')}`);
    for (const { name } of chosen)
      lines.push(`| ${name} | ${targets.map((target) => markOf(cells[name]?.[target])).join(' | ')} |`);
  }
  const list = notes.map((note, index) => `${index + 1}. ${note}`);
  return [...lines, ...(list.length > 0 ? ['', ...list] : [])].join('\n');
}

const pageText = (): string => (existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : MINIMAL);

/** The page with this table between its markers. Undefined if the page has no markers. */
function pageWith(table: string): string | undefined {
  const text = pageText();
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin < 0 || end < begin) return undefined;
  return `${text.slice(0, begin + BEGIN.length)}${table}${text.slice(end)}`;
}

export const isPageCurrent = (table: string): boolean => existsSync(PAGE) && pageWith(table) === pageText();

/** Writes the table into the README next to this file. Returns false if the page has no markers. */
export function writePage(table: string): boolean {
  const page = pageWith(table);
  if (page !== undefined) writeFileSync(PAGE, page);
  return page !== undefined;
}
