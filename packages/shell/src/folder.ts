import { literal, type ShellWord } from './word.ts';

/** Where a command runs. */
export interface Place {
  /** Relative to the folder in which the line starts; undefined at the start, or if it is computed. */
  readonly folder?: string;
  /** The folder is computed: what a relative path leads to is not known either. */
  readonly isUnknown: boolean;
  readonly isSure: boolean;
}

/** Where the next command runs. */
export interface Next {
  /** If this one has succeeded. */
  readonly ok: Place;
  /** Whatever came of this one. */
  readonly end: Place;
}

export const START: Place = { isUnknown: false, isSure: true };

export function staying(at: Place): Next {
  return { ok: at, end: at };
}

/** The place after one of two ways of getting there. */
export function either(one: Place, other: Place): Place {
  if (one.folder === other.folder && one.isUnknown === other.isUnknown && one.isSure === other.isSure) return one;
  const folder = other.folder ?? one.folder;
  return { ...(folder !== undefined && { folder }), isUnknown: one.isUnknown || other.isUnknown, isSure: false };
}

const ENTERING: ReadonlySet<string> = new Set(['cd', 'chdir', 'pushd']);
const ABSOLUTE = /^[/~]/;

/** A folder in another one, without `.` and without `..` as far as they are known to lead back. */
function joined(folder: string, target: string): string {
  if (ABSOLUTE.test(target)) return target;
  const names: string[] = [];
  for (const name of `${folder}/${target}`.split('/')) {
    if (name === '' || name === '.') continue;
    if (name === '..' && !['..', '~', undefined].includes(names.at(-1))) names.pop();
    else names.push(name);
  }
  return folder.startsWith('/') ? `/${names.join('/')}` : names.join('/') || '.';
}

/** Where a `cd` leads, or undefined if the command does not change the folder. */
export function enter(program: string, words: readonly ShellWord[], at: Place): Next | undefined {
  if (!ENTERING.has(program) && program !== 'popd') return undefined;
  const isHome = program !== 'pushd' && words.every(({ text }) => /^-[LPe@]+$/.test(text));
  const target = isHome ? literal('~') : words.find(({ text }) => !/^-./.test(text));
  const isKnown = program !== 'popd' && target?.isComputed === false && !/^(?:-|\+\d.*|~[-+].*|)$/.test(target.text);
  if (!isKnown || (at.isUnknown && !ABSOLUTE.test(target.text))) {
    const unknown: Place = { isUnknown: true, isSure: false };
    return { ok: unknown, end: unknown };
  }
  const folder = joined(at.folder ?? '', target.text);
  const ok: Place = { folder, isUnknown: false, isSure: ABSOLUTE.test(target.text) || at.isSure };
  return { ok, end: { ...ok, isSure: folder === at.folder && at.isSure } };
}
