import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A change of anchor files by an attacker who can write to their folder. There are three files: of three days, with three lines each. */
export interface AnchorForgery {
  readonly title: string;
  readonly forge: (paths: readonly [string, string, string]) => void;
}

/** The paths of the anchor files in a folder, by day. */
export function anchorPaths(folder: string): [string, string, string] {
  const [first = '', second = '', third = ''] = readdirSync(folder)
    .sort()
    .map((name) => join(folder, name));
  return [first, second, third];
}

/** Changes the lines of a file. */
export function editLines(path: string, edit: (lines: string[]) => readonly string[]): void {
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  writeFileSync(
    path,
    edit(lines)
      .map((line) => `${line}\n`)
      .join(''),
  );
}

function exchange(one: string, other: string): void {
  renameSync(one, `${one}.away`);
  renameSync(other, one);
  renameSync(`${one}.away`, other);
}

export const ANCHOR_FORGERIES: readonly AnchorForgery[] = [
  { title: 'an anchor file in the middle removed', forge: ([, second]) => rmSync(second) },
  { title: 'two anchor files exchanged', forge: ([first, second]) => exchange(first, second) },
  { title: 'an anchor file in place of another', forge: ([first, second]) => renameSync(first, second) },
  { title: 'an anchor file emptied', forge: ([, second]) => writeFileSync(second, '') },
  {
    title: 'the summary of an anchor file removed',
    forge: ([, second]) => editLines(second, (lines) => lines.slice(1)),
  },
  {
    title: 'the summary of the newest anchor file removed',
    forge: ([, , third]) => editLines(third, (lines) => lines.slice(1)),
  },
  {
    title: 'a line in the middle of an anchor file removed',
    forge: ([first]) => editLines(first, (lines) => lines.toSpliced(1, 1)),
  },
  {
    title: 'the end of an older anchor file cut off',
    forge: ([, second]) => editLines(second, (lines) => lines.slice(0, 2)),
  },
  {
    title: 'two lines of an anchor file exchanged',
    forge: ([first]) => editLines(first, (lines) => lines.toReversed()),
  },
  {
    title: 'a line of another anchor file',
    forge: ([first, second]) => {
      const [line = ''] = readFileSync(first, 'utf8').split('\n');
      editLines(second, (lines) => lines.with(0, line));
    },
  },
  {
    title: 'a head in an anchor file',
    forge: ([first]) => editLines(first, (lines) => lines.map((line) => line.replace(/,\d+,"/, ',1,"'))),
  },
];
