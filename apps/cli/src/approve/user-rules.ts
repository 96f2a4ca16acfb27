import { randomBytes } from 'node:crypto';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { fieldsOf } from '@sallyport/core/adapter';
import { coversLine } from './pattern.ts';
import { Seal } from './seal.ts';
import { SealedFile } from './sealed-file.ts';

/** Calls that a person does not want to be asked about. */
type Covered =
  /** Commands in a folder and those below it. */
  | { readonly type: 'command'; readonly pattern: string; readonly folder: string }
  /** A tool of an MCP server. */
  | { readonly type: 'tool'; readonly tool: string; readonly server: string };

export type UserRule = Covered & { readonly id: string; readonly created: number };

/** A call, as rules see it. */
export interface RuledCall {
  readonly server: string;
  readonly tool: string;
  /** The line of a shell. */
  readonly command?: string | undefined;
  /** The folder in which it runs. */
  readonly folder?: string | undefined;
}

function isRule(value: unknown): value is UserRule {
  const { type, id, created, pattern, folder, tool, server } = fieldsOf(value);
  const texts = type === 'command' ? [id, pattern, folder] : type === 'tool' ? [id, tool, server] : [undefined];
  return typeof created === 'number' && texts.every((each) => typeof each === 'string');
}

function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, resolve(path));
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Checks that rules cover a call. */
export function covers(rules: readonly UserRule[], { server, tool, command, folder }: RuledCall): boolean {
  if (command === undefined)
    return rules.some((rule) => rule.type === 'tool' && rule.server === server && rule.tool === tool);
  if (folder === undefined) return false;
  const patterns = rules.flatMap((rule) =>
    rule.type === 'command' && isBelow(rule.folder, folder) ? rule.pattern : [],
  );
  return patterns.length > 0 && coversLine(patterns, command);
}

/** The rules of the user, in one file for all processes. */
export class UserRules {
  readonly #file: SealedFile<UserRule>;

  constructor(stateFolder: string) {
    this.#file = new SealedFile(join(stateFolder, 'rules.json'), new Seal(stateFolder, 'rule'), isRule);
  }

  all(): readonly UserRule[] {
    return this.#file.all();
  }

  /** The number of entries that sallyport did not write. */
  get ignored(): number {
    return this.#file.ignored;
  }

  /** Adds a rule, and returns its id. An equal one is kept as it is. */
  add(covered: Covered): string {
    return this.#file.change((rules) => {
      const same = rules.find(({ id: _, created: __, ...rest }) => JSON.stringify(rest) === JSON.stringify(covered));
      const rule = same ?? { ...covered, id: randomBytes(6).toString('hex'), created: Date.now() };
      return [same === undefined ? [...rules, rule] : rules, rule.id];
    });
  }

  remove(id: string): boolean {
    return this.#file.change((rules) => {
      const left = rules.filter((each) => each.id !== id);
      return [left, left.length < rules.length];
    });
  }

  covers(call: RuledCall): boolean {
    return covers(this.all(), call);
  }
}
