import type { Word } from './line.ts';

const names = (text: string): string => text.replaceAll('.', '\\.').split(' ').join('|');

/** Hidden names of a project that hold no secret, and that other programs do not keep. */
const BUILT =
  'next nuxt cache turbo parcel-cache svelte-kit astro vite output nyc_output pytest_cache mypy_cache ruff_cache tox angular expo gradle eslintcache rpt2_cache docusaurus vercel coverage';
const DECLARED =
  'github gitignore gitattributes gitmodules gitlab-ci.yml circleci travis.yml editorconfig nvmrc node-version python-version tool-versions npmignore dockerignore env.example env.sample env.template husky changeset changesets storybook devcontainer vscode cursor claude babelrc swcrc browserslistrc pre-commit-config.yaml golangci.yml rubocop.yml bin venv';
const PLAIN_HIDDEN = new RegExp(
  `^\\.(?:${names(`${BUILT} ${DECLARED}`)}|(?:eslint|prettier|stylelint|markdownlint|mocha|nyc|c8|commitlint|lintstaged)(?:rc|ignore)?(?:\\.\\w+)?|[cm]?[jt]sx?(?:,[.\\w]+)*)$`,
);
const BUILT_FOLDER = new RegExp(`^\\.(?:${names(BUILT)})$`);

/** Where a system keeps its settings and what running programs know. */
const SYSTEM = /^\/(?:private\/)?(?:proc|sys|dev|etc|run|var\/run)(?:\/|$)|(?:^|\/)proc\/(?:self|thread-self|\d+)\//;
const OUTSIDE = /^[~/]/;
/** Files that act later: instructions for agents. */
const LASTING = /^(?:AGENTS|CLAUDE|GEMINI)\.md$/i;

function isHidden(segment: string): boolean {
  return segment.startsWith('.') && !/^\.{1,3}$/.test(segment);
}

/** A path as it is seen from where a line began, if it is meant in a folder that the line has moved to. */
export function pathIn(folder: string, path: string): string {
  if (folder === '' || OUTSIDE.test(path) || path === '-') return path;
  const segments: string[] = [];
  for (const segment of `${folder}/${path}`.split('/').slice(folder.startsWith('/') ? 1 : 0)) {
    const last = segments.at(-1);
    if (segment === '..' && last !== undefined && last !== '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  // Above the home folder, where it is does not matter.
  const isFromRoot = folder.startsWith('/') || (folder.startsWith('~') && segments[0] !== '~');
  return `${isFromRoot ? '/' : ''}${segments.join('/')}`;
}

/** Whether a path is that of a plain file: no secret by its place or by its name. */
export function isReadable({ text, isPattern }: Word): boolean {
  // Above the current folder can be the root.
  const path = text.replace(/^(?:\.\.(?:\/|$))+/, '/').replace(/\/(?:\.?\/)+/g, '/');
  const segments = path.split(/[/=:]/);
  if (segments.includes('..') || SYSTEM.test(path)) return false;
  if (segments.some((segment) => isHidden(segment) && !PLAIN_HIDDEN.test(segment))) return false;
  // A pattern for a folder can find any one.
  return !(isPattern && OUTSIDE.test(path) && /[*?[].*\//.test(path));
}

/** Whether a path is below the current folder, and nothing on it is hidden. */
export function isInside(text: string): boolean {
  if (OUTSIDE.test(text) || text === '-' || text.startsWith('@')) return false;
  return !text.split(/[/=:]/).some((segment) => segment === '..' || (isHidden(segment) && !PLAIN_HIDDEN.test(segment)));
}

/** Whether a path names one thing below the current folder that may be changed: not a hidden file, and nothing that acts later. */
export function isChangeable({ text, isPattern }: Word): boolean {
  if (isPattern || OUTSIDE.test(text)) return false;
  const segments = text.replace(/(?<=.)\/$/, '').split('/');
  const isWhole = text === '.' || segments.at(-1) !== '.';
  return isWhole && segments.every((segment) => segment !== '..' && !isHidden(segment) && !LASTING.test(segment));
}

/** Whether a path names one thing below the current folder that people delete by name. */
export function isDeletable({ text, isPattern }: Word): boolean {
  if (isPattern || !/^(?:\.\/)?\.?\w[\w./-]*$/.test(text)) return false;
  const segments = text.replace(/^\.\//, '').replace(/\/$/, '').split('/');
  return segments.every((segment) => !segment.startsWith('.') || BUILT_FOLDER.test(segment));
}
