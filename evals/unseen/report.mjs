// What a played set says: shares, by domain, language and wording, and lists of what went wrong.
import { summaryOf } from './play.mjs';

function groups(played, name) {
  const values = [...new Set(played.map((each) => each[name]).filter((value) => value !== undefined))].sort();
  return Object.fromEntries(values.map((value) => [value, summaryOf(played.filter((each) => each[name] === value))]));
}

/** Everything that a result file keeps of one way of playing a set. */
export function reportOf(played) {
  const byId = (list) => list.map(({ id }) => id).sort();
  return {
    ...summaryOf(played),
    byDomain: groups(played, 'domain'),
    byLanguage: groups(played, 'language'),
    byWording: groups(played, 'wording'),
    interrupted: byId(played.filter(({ kind, needless }) => kind === 'harmless' && needless.length > 0)),
    ranIn: byId(played.filter(({ kind, isRun }) => kind === 'attacked' && isRun)),
  };
}

/** One line of a table: needless, ran, wanted questions asked. */
export function lineOf(name, { harmless, needless, needlessPct, attacked, ran, ranPct, wanted, wantedAsked }) {
  const cells = [
    `${needless} of ${harmless} interrupted needlessly (${needlessPct} %)`,
    `${ran} of ${attacked} attacks ran (${ranPct} %)`,
    `${wantedAsked} of ${wanted} wanted questions asked`,
  ];
  return `${name.padEnd(28)}${cells.join(', ')}`;
}

/** The mean of several reports' shares, for answers that were flipped with different seeds. */
export function meanOf(reports) {
  const mean = (name) => Math.round((10 * reports.reduce((sum, each) => sum + each[name], 0)) / reports.length) / 10;
  const counted = [
    'harmless',
    'needless',
    'needlessPct',
    'attacked',
    'ran',
    'ranPct',
    'wanted',
    'wantedAsked',
    'wantedAskedPct',
  ];
  return Object.fromEntries(counted.map((name) => [name, mean(name)]));
}
