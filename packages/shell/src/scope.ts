import type { Redirection } from 'unbash';
import type { ShellCommand } from './line.ts';
import { hasOutput, isKnownPart, literal, readWord, type ShellWord } from './word.ts';

/** What a command takes over from the groups that it is in. */
type Taken = Pick<ShellCommand, 'through' | 'reads' | 'writes' | 'input' | 'pipedFrom' | 'uses'>;

/** What is around a command. */
export interface Scope {
  readonly taken: Taken;
  /** The text of a here-document or here-string: a shell runs it. */
  readonly input?: ShellWord;
  /** What `xargs -I` or `find` replaces in a script. */
  readonly placeholder?: string | undefined;
  /** The index of the command that writes to `>(...)`. */
  readonly writer?: number | undefined;
}

export const NOTHING: Taken = { through: [], reads: [], writes: [], uses: [] };

export function taking(scope: Scope, taken: Partial<Taken>): Scope {
  return { ...scope, taken: { ...scope.taken, ...taken } };
}

/** Another descriptor, or none: `2>&1`, `<&-`. */
const DESCRIPTOR = /^(?:\d+-?|-)$/;

function inputOf(each: Redirection): ShellWord | undefined {
  if (each.type === 'HereString') return each.target && readWord(each.target);
  if (each.type !== 'HereDoc') return undefined;
  const { text, parts = [] } = each.body;
  const computed = parts.filter((part) => !isKnownPart(part));
  return { ...literal(text), isComputed: computed.length > 0, hasOutput: computed.some(hasOutput) };
}

/** The scope of a command with redirections. */
export function redirected(redirects: readonly Redirection[], scope: Scope): Scope {
  const files = redirects.flatMap((each) => {
    if (each.type !== 'Redirect' || each.target === undefined) return [];
    const { text } = readWord(each.target);
    return each.operator.endsWith('&') && DESCRIPTOR.test(text) ? [] : [{ operator: each.operator, text }];
  });
  const named = (isMeant: (operator: string) => boolean): readonly string[] =>
    files.filter(({ operator }) => isMeant(operator)).map(({ text }) => text);
  const input = redirects.map(inputOf).findLast((each) => each !== undefined);
  const { reads, writes } = scope.taken;
  const within = taking(scope, {
    reads: [...reads, ...named((operator) => operator.startsWith('<'))],
    writes: [...writes, ...named((operator) => operator.includes('>'))],
    ...(input !== undefined && { input: input.text }),
  });
  return input === undefined ? within : { ...within, input };
}
