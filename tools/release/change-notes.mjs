// The notes in .changeset as a section of CHANGELOG.md: what breaks first, then by the part of the product.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../command.mjs';

/** Parts of the product, with the packages that belong to them. A note belongs to the first part that it names a package of. */
const PARTS = [
  ['Library', ['sallyport', '@sallyport/core', '@sallyport/classifier', '@sallyport/classifier-onnx']],
  ['MCP servers and coding agents', ['@sallyport/cli', '@sallyport/mcp-proxy']],
  ['Gateway and console', ['@sallyport/gateway', '@sallyport/console']],
  ['Scripts, testing, React and HTTP', ['sandbox', 'testing', 'react', 'http'].map((name) => `@sallyport/${name}`)],
  ['Adapters', []],
];
const NOTE = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/;
const LEVEL = /^['"]([^'"]+)['"]: (\w+)$/gm;
const START = '<!-- unreleased: node tools/release/changelog.mjs --write -->\n';
const END = '<!-- end unreleased -->\n';

/** A note names most of the packages that it moves; the ones it changes itself are at the level of the whole note. */
function partOf(levels) {
  const isMinor = [...levels.values()].includes('minor');
  const named = [...levels].filter(([, level]) => !isMinor || level === 'minor').map(([name]) => name);
  return PARTS.find(([, packages]) => packages.some((name) => named.includes(name))) ?? PARTS.at(-1);
}

/** @typedef {{ part: string, breaks: boolean, text: string }} Note */

/**
 * @param {string} text of a file in .changeset
 * @returns {Note[]} one for each paragraph that breaks something, and one for the others
 */
export function notesOf(text) {
  const [, levels, body] = NOTE.exec(text) ?? [];
  if (levels === undefined) throw new Error(`not a changeset: ${JSON.stringify(text.slice(0, 60))}`);
  const [part] = partOf(new Map([...levels.matchAll(LEVEL)].map(([, name, level]) => [name, level])));
  const paragraphs = body.split(/\n\s*\n/).map((each) => each.trim());
  const isBreaking = (paragraph) => paragraph.includes('Breaking: ');
  const others = paragraphs.filter((each) => each !== '' && !isBreaking(each)).map((each) => each.replace(/\s+/g, ' '));
  return [
    ...paragraphs.filter(isBreaking).map((each) => {
      const plain = each.replace(/^Breaking: /, '').replace(/\s+/g, ' ');
      return { part, breaks: true, text: plain[0].toUpperCase() + plain.slice(1) };
    }),
    ...(others.length > 0 ? [{ part, breaks: false, text: others.join(' ') }] : []),
  ];
}

const listOf = (title, notes) =>
  notes.length === 0 ? [] : [`### ${title}\n\n${notes.map(({ text }) => `- ${text}\n`).join('')}`];

/**
 * @param {readonly Note[]} notes
 * @returns {string} the lists of a section, without its heading
 */
export function listNotes(notes) {
  const others = notes.filter(({ breaks }) => !breaks);
  return [
    ...listOf(
      'What breaks',
      notes.filter(({ breaks }) => breaks),
    ),
    ...PARTS.flatMap(([title]) =>
      listOf(
        title,
        others.filter(({ part }) => part === title),
      ),
    ),
  ].join('\n');
}

/** The notes in .changeset, in the order of the names of their files. */
export function readNotes() {
  const folder = join(root, '.changeset');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .sort()
    .flatMap((name) => notesOf(readFileSync(join(folder, name), 'utf8')));
}

const partsOf = (changelog) => {
  const [from, to] = [changelog.indexOf(START), changelog.indexOf(END)];
  if (from < 0 || to < from) throw new Error('CHANGELOG.md has no section of unreleased changes');
  return { before: changelog.slice(0, from), after: changelog.slice(to + END.length) };
};

/**
 * The changelog with the given notes as its unreleased section.
 * @param {string} changelog
 * @param {readonly Note[]} notes
 */
export function withUnreleased(changelog, notes) {
  const { before, after } = partsOf(changelog);
  const section = notes.length === 0 ? '' : `## Unreleased\n\n${listNotes(notes)}`;
  return `${before}${START}${section}${END}${after}`;
}

/**
 * The changelog with the given notes as a released version, and an empty unreleased section.
 * @param {string} changelog
 * @param {readonly Note[]} notes
 * @param {string} version
 * @param {string} date such as 2026-12-01
 */
export function withRelease(changelog, notes, version, date) {
  const { before, after } = partsOf(changelog);
  return `${before}${START}${END}\n## ${version}, ${date}\n\n${listNotes(notes)}${after}`;
}
