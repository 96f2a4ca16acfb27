import { actsLater } from '../lasting-path.ts';
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
const OUTSIDE = /^(?:[~/\\]|[A-Za-z]:)/;
/** Folders that hold all files of a person, or of all people. */
const PEOPLE = /^(?:(?:[a-z]:|\/[a-z])?\/(?:home|Users)(?:\/[^/]+)?|\/(?:var\/)?root)$/i;
/** Where packages are installed: their code is not the project's. */
const INSTALLED = /(?:^|[\\/=:,])(?:node_modules|site-packages)(?:[\\/]|$)/i;

function isHidden(segment: string): boolean {
  return segment.startsWith('.') && !/^\.{1,3}$/.test(segment);
}

/** Whether a path is in a package that is installed. */
export function isInstalled(path: string): boolean {
  return INSTALLED.test(path);
}

/** A path without steps that lead nowhere. From a home folder or a drive, where a step up leads is not known. */
function withoutSteps(path: string): string {
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    const last = segments.at(-1);
    const isStart = last === undefined ? path.startsWith('/') : false;
    if (segment === '..' && last !== undefined && !/^(?:\.\.|~.*|[A-Za-z]:)$/.test(last)) segments.pop();
    else if (segment !== '' && segment !== '.' && !(segment === '..' && isStart)) segments.push(segment);
  }
  return `${path.startsWith('/') ? '/' : ''}${segments.join('/')}`;
}

/** A path as it is seen from where a line began, if it is meant in a folder that the line has moved to. */
export function pathIn(folder: string, path: string): string {
  if (path === '-' || (folder === '' && !OUTSIDE.test(path))) return path;
  return withoutSteps((OUTSIDE.test(path) ? path : `${folder}/${path}`).replaceAll('\\', '/'));
}

/** Where a command of a line runs. */
export interface Place {
  /** As a whole path, if the project or the line says it; else from where the line began. */
  readonly folder: string;
  /** The folder of the project, if it is known. */
  readonly project: string | undefined;
  /** Whether the project is a folder that the line has moved to, and not one that the application named. */
  readonly isAssumed: boolean;
}

/** A whole path as it can be compared: on Windows, `C:\app` is also `/c/app`. */
function comparable(path: string): string {
  return withoutSteps(path.replaceAll('\\', '/')).replace(/^(?:\/([a-z])|([a-z]):)(?=\/|$)/i, (_, unix, drive) =>
    `${unix ?? drive}:`.toLowerCase(),
  );
}

/** What a path is called in the project; undefined if it is outside of it. If the project is not known, a whole path is outside. */
export function inProject({ folder, project }: Place, path = '.'): string | undefined {
  const target = pathIn(folder, path);
  if (project === undefined) return OUTSIDE.test(target) ? undefined : target;
  const [base, whole] = [comparable(project), comparable(target)];
  if (whole === base) return '';
  return whole.startsWith(`${base}/`) ? whole.slice(base.length + 1) : undefined;
}

/** Whether a whole path can be that of a project: nothing on it is hidden, the system's or installed, and it holds no person's other files. */
function canBeProject(folder: string): boolean {
  const names = folder.replace(/^(?:\/|[A-Za-z]:\/)/, '');
  const isPlain = names !== '' && isChangeable({ text: names, isPattern: false }) && !actsLater(`${folder}/x`);
  return isPlain && !PEOPLE.test(folder) && !isInstalled(folder);
}

/** Where a line goes from a place. If the project is not known, a whole path is taken for it. */
export function moveTo(from: Place, path: string): Place {
  const folder = pathIn(from.folder, path);
  if (!from.isAssumed || !OUTSIDE.test(path)) return { ...from, folder };
  return { ...from, folder, project: canBeProject(folder) ? folder : undefined };
}

/** Where a line begins: in the folder of its call, which is seen from the project. */
export function startIn(folder: string, project: string | undefined): Place {
  return moveTo({ folder: project ?? '', project, isAssumed: project === undefined }, folder);
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
  const segments = text.replace(/(?<=.)\/$/, '').split(/[\\/]/);
  const isWhole = text === '.' || segments.at(-1) !== '.';
  return isWhole && segments.every((segment) => segment !== '..' && !isHidden(segment)) && !actsLater(text);
}

/** Whether a path names one thing below the current folder that people delete by name. */
export function isDeletable({ text, isPattern }: Word): boolean {
  if (isPattern || !/^(?:\.\/)?\.?\w[\w./-]*$/.test(text)) return false;
  const segments = text.replace(/^\.\//, '').replace(/\/$/, '').split('/');
  return segments.every((segment) => !segment.startsWith('.') || BUILT_FOLDER.test(segment));
}
